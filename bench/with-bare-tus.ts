// The tus server with its own file store: the baseline of an upload. Sends its port to its parent.
import { FileStore } from '@tus/file-store'
import { Server } from '@tus/server'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const directory = process.argv[2] ?? ''
const tus = new Server({ path: '/api/uploads', relativeLocation: true, datastore: new FileStore({ directory }) })
const server = createServer((request, response) => void tus.handle(request, response))
server.requestTimeout = 0
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
