import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { clientConfig, mapOutages, toUnavailable } from './s3-client.ts'

const withCode = (code: string) => Object.assign(new Error('a request failed'), { code })

test.each(['ECONNREFUSED', 'ENETDOWN', 'ENETUNREACH', 'HPE_INVALID_CONSTANT'])(
  'reports a store as unavailable after %s',
  (code) => {
    expect(toUnavailable(withCode(code))).toMatchObject({ kind: 'unavailable', retryAfter: 5 })
  },
)

test('passes on an error that says nothing about the store', () => {
  const error = withCode('ERR_INVALID_ARG_TYPE')
  expect(toUnavailable(error)).toBe(error)
})

/** A client of a server that answers each request like this. */
async function clientOf(answer: (response: ServerResponse) => void): Promise<S3Client> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => answer(response))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const settings = { kind: 's3', endpoint: `http://127.0.0.1:${port}`, region: 'r', bucket: 'b', scratch: '' } as const
  const keys = { accessKeyId: 'a', secretAccessKey: 's', socketTimeoutMs: 3000 }
  const client = new S3Client({ ...clientConfig({ ...settings, ...keys }), maxAttempts: 1 })
  mapOutages(client)
  onTestFinished(() => {
    client.destroy()
    server.closeAllConnections()
    server.close()
  })
  return client
}

const object = { Bucket: 'b', Key: 'k' }
const part = { ...object, UploadId: 'u' }
/** Each call that the product makes, except deletions. */
const calls = {
  complete: async (client: S3Client) => await client.send(new CompleteMultipartUploadCommand(part)),
  copy: async (client: S3Client) => await client.send(new CopyObjectCommand({ ...object, CopySource: 'b/k' })),
  create: async (client: S3Client) => await client.send(new CreateMultipartUploadCommand(object)),
  get: async (client: S3Client) => await client.send(new GetObjectCommand(object)),
  head: async (client: S3Client) => await client.send(new HeadObjectCommand(object)),
  list: async (client: S3Client) => await client.send(new ListObjectsV2Command({ Bucket: 'b' })),
  listParts: async (client: S3Client) => await client.send(new ListPartsCommand(part)),
  put: async (client: S3Client) => await client.send(new PutObjectCommand({ ...object, Body: 'x' })),
  uploadPart: async (client: S3Client) =>
    await client.send(new UploadPartCommand({ ...part, PartNumber: 1, Body: 'x' })),
}
const page = '<html><body><hr>Bad Gateway</body></html>'
const xml = (content: string) => `<?xml version="1.0" encoding="UTF-8"?>${content}`

test.each([
  ['the page of a proxy', 502, page],
  ['plain text', 503, 'Back soon'],
  ['a page with the status of success', 200, page],
  ['half a document', 200, xml('<Result><Part><PartNum')],
  ['a document that says nothing', 200, xml('<Result><Other>1</Other></Result>')],
  ['a request that took too long', 400, xml('<Error><Code>RequestTimeout</Code></Error>')],
])('reports a store as unavailable when the answer is %s', async (_what, status, body) => {
  const client = await clientOf((response) => response.writeHead(status, { 'transfer-encoding': 'chunked' }).end(body))
  for (const [name, call] of Object.entries(calls)) {
    // A HEAD has no body: a 400 says nothing else.
    if (name === 'head' && status === 400) continue
    await expect(call(client), name).rejects.toMatchObject({ kind: 'unavailable' })
  }
})

test("passes on the store's own refusals", async () => {
  const client = await clientOf((response) =>
    response.writeHead(403).end(xml('<Error><Code>AccessDenied</Code><Message>no</Message></Error>')),
  )
  for (const [name, call] of Object.entries(calls))
    await expect(call(client), name).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } })
})
