// Serves one file from disk over plain node:http: the baseline for a page when nginx is not installed. Sends its port to
// its parent.
import * as fs from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const file = process.argv[2] ?? ''
const server = createServer((_request, response) => {
  fs.readFile(file, (error, bytes) => {
    if (error) response.writeHead(500).end()
    else
      response
        .writeHead(200, {
          'content-type': 'text/html; charset=utf-8',
          'content-encoding': 'br',
          'content-length': bytes.length,
        })
        .end(bytes)
  })
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
