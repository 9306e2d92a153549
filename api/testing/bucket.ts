import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Part = { bytes: Buffer; etag: string }
type StoredObject = Part & { metadata: Record<string, string>; modifiedAt: Date }
type Multipart = { key: string; parts: Map<number, Part>; metadata: Record<string, string> }

type BucketFault = 'refused' | 'lost' | undefined
type FaultOf = (request: string) => BucketFault | Promise<BucketFault>

export type Bucket = {
  /** The settings that make the product use this bucket. */
  env: Record<string, string>
  /** Keys of all objects, sorted. */
  keys: () => string[]
  /** Multipart uploads that were neither completed nor aborted. */
  unfinished: () => number
  /** The next CompleteMultipartUpload fails with 500, as if the process had died before it. */
  failNextCompletion: () => void
  /** Refuses the next conditional write, as if another one of its key were under way, which then fails. */
  conflictNextWrite: () => void
  /** Breaks the connections of the next `times` part uploads after some of their bytes. */
  breakPartUploads: (times: number) => void
  /** Closes connections without a request, as a store does after a while. */
  closeIdle: () => void
  /** The objects remain. */
  stopListening: () => Promise<void>
  startListening: () => Promise<void>
  /** Answers every request with this status; undefined: normally. */
  answerAll: (status: number | undefined) => void
  /** Accepts connections and requests without answering them, until `resumeAnswering`. */
  stopAnswering: () => void
  resumeAnswering: () => void
  /** Requests that were not answered, in order. */
  unanswered: () => string[]
  /** Asks before each request: `refused` answers 503, `lost` breaks the connection once the request has taken effect. */
  disturb: (faultOf: FaultOf) => void
  stop: () => Promise<void>
}

const name = 'flashsheet-test'
const accessKey = 'AKTEST'
const smallestPart = 5_242_880
/** Small, so that every listing has several pages. */
const pageSize = 2

class Refusal extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string) {
    super(code)
    this.status = status
    this.code = code
  }
}

/**
 * An in-memory store with the part of S3 that the product uses. It rejects what S3 rejects: parts below 5 MiB except
 * the last, completing with a wrong ETag, overwriting against If-None-Match, and chunk signatures that compatible
 * stores do not support.
 */
export async function startBucket(now = () => new Date()): Promise<Bucket> {
  const objects = new Map<string, StoredObject>()
  const uploads = new Map<string, Multipart>()
  let failsNextCompletion = false
  let conflictsNextWrite = false
  let partsToBreak = 0
  let everyStatus: number | undefined
  let isSilent = false
  let unanswered: string[] = []
  let faultOf: FaultOf = () => undefined

  const answer = (
    response: ServerResponse,
    status: number,
    headers: Record<string, string>,
    body: Buffer | string = '',
  ) =>
    response
      .writeHead(status, { 'x-amz-request-id': randomUUID(), 'content-length': Buffer.byteLength(body), ...headers })
      .end(body)
  const xml = (response: ServerResponse, root: string, inside: string) =>
    answer(
      response,
      200,
      { 'content-type': 'application/xml' },
      `<?xml version="1.0" encoding="UTF-8"?><${root} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${inside}</${root}>`,
    )
  const object = (key: string) => {
    const found = objects.get(key)
    if (!found) throw new Refusal(404, 'NoSuchKey')
    return found
  }
  const uploadOf = (id: string | null) => {
    const found = uploads.get(id ?? '')
    if (!found) throw new Refusal(404, 'NoSuchUpload')
    return found
  }
  const store = (request: IncomingMessage, key: string, bytes: Buffer, metadata: Record<string, string>) => {
    const isConditional = request.headers['if-none-match'] === '*'
    if (isConditional && conflictsNextWrite) {
      conflictsNextWrite = false
      throw new Refusal(409, 'ConditionalRequestConflict')
    }
    if (isConditional && objects.has(key)) throw new Refusal(412, 'PreconditionFailed')
    const etag = `"${createHash('md5').update(bytes).digest('hex')}"`
    objects.set(key, { bytes, etag, metadata, modifiedAt: now() })
    return etag
  }

  const completeUpload = (request: IncomingMessage, id: string, body: string) => {
    const upload = uploadOf(id)
    if (failsNextCompletion) {
      failsNextCompletion = false
      throw new Refusal(501, 'NotImplemented')
    }
    const listedParts = [...body.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = '']) => ({
      number: Number(/<PartNumber>(\d+)/.exec(part)?.[1]),
      etag: (/<ETag>(.*?)<\/ETag>/.exec(part)?.[1] ?? '').replaceAll('&quot;', '"'),
    }))
    const parts = listedParts.map(({ number, etag }) => {
      const part = upload.parts.get(number)
      if (!part || part.etag !== etag) throw new Refusal(400, 'InvalidPart')
      return part.bytes
    })
    if (parts.length === 0) throw new Refusal(400, 'MalformedXML')
    if (parts.slice(0, -1).some((part) => part.length < smallestPart)) throw new Refusal(400, 'EntityTooSmall')
    const etag = store(request, upload.key, Buffer.concat(parts), upload.metadata)
    uploads.delete(id)
    return `<Key>${upload.key}</Key><ETag>${etag}</ETag>`
  }

  const handle = (
    request: IncomingMessage,
    response: ServerResponse,
    key: string,
    query: URLSearchParams,
    body: Buffer,
  ) => {
    const method = request.method ?? ''
    const [uploadId, partNumber] = [query.get('uploadId'), query.get('partNumber')]
    const metadata = Object.fromEntries(
      Object.entries(request.headers).filter(([header]) => header.startsWith('x-amz-meta-')),
    ) as Record<string, string>
    if (key === '') {
      if (method === 'HEAD') return answer(response, 200, {})
      const prefix = query.get('prefix') ?? ''
      const after = query.get('continuation-token') ?? query.get('start-after') ?? ''
      const found = [...objects.keys()].filter((entry) => entry.startsWith(prefix) && entry > after).sort()
      const page = found.slice(0, Math.min(pageSize, Number(query.get('max-keys') ?? pageSize)))
      const more =
        found.length > page.length
          ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${page.at(-1)}</NextContinuationToken>`
          : '<IsTruncated>false</IsTruncated>'
      return xml(
        response,
        'ListBucketResult',
        `<Name>${name}</Name>${more}` +
          page
            .map(
              (entry) =>
                `<Contents><Key>${entry}</Key><LastModified>${object(entry).modifiedAt.toISOString()}</LastModified></Contents>`,
            )
            .join(''),
      )
    }
    if (method === 'POST' && query.has('uploads')) {
      const id = randomUUID()
      uploads.set(id, { key, parts: new Map(), metadata })
      return xml(
        response,
        'InitiateMultipartUploadResult',
        `<Bucket>${name}</Bucket><Key>${key}</Key><UploadId>${id}</UploadId>`,
      )
    }
    if (method === 'POST' && uploadId !== null)
      return xml(response, 'CompleteMultipartUploadResult', completeUpload(request, uploadId, body.toString()))
    if (method === 'PUT' && uploadId !== null) {
      const etag = `"${createHash('md5').update(body).digest('hex')}"`
      uploadOf(uploadId).parts.set(Number(partNumber), { bytes: body, etag })
      return answer(response, 200, { etag })
    }
    if (method === 'GET' && uploadId !== null) {
      const after = Number(query.get('part-number-marker') ?? 0)
      const parts = [...uploadOf(uploadId).parts].filter(([number]) => number > after).sort(([a], [b]) => a - b)
      const page = parts.slice(0, pageSize)
      const more =
        parts.length > page.length
          ? `<IsTruncated>true</IsTruncated><NextPartNumberMarker>${page.at(-1)?.[0]}</NextPartNumberMarker>`
          : '<IsTruncated>false</IsTruncated>'
      return xml(
        response,
        'ListPartsResult',
        `<UploadId>${uploadId}</UploadId>${more}` +
          page
            .map(
              ([number, part]) =>
                `<Part><PartNumber>${number}</PartNumber><ETag>${part.etag}</ETag><Size>${part.bytes.length}</Size></Part>`,
            )
            .join(''),
      )
    }
    if (method === 'DELETE') {
      if (uploadId !== null) {
        uploadOf(uploadId)
        uploads.delete(uploadId)
      } else objects.delete(key)
      return answer(response, 204, {})
    }
    if (method === 'PUT') {
      const source = request.headers['x-amz-copy-source']
      if (typeof source !== 'string') return answer(response, 200, { etag: store(request, key, body, metadata) })
      const from = object(decodeURIComponent(source).replace(`${name}/`, ''))
      return xml(response, 'CopyObjectResult', `<ETag>${store(request, key, from.bytes, from.metadata)}</ETag>`)
    }
    const found = object(key)
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
    const bytes = range ? found.bytes.subarray(Number(range[1]), Number(range[2]) + 1) : found.bytes
    const headers = { etag: found.etag, ...found.metadata, 'content-length': String(bytes.length) }
    if (method === 'HEAD') return void response.writeHead(200, headers).end()
    return answer(response, range ? 206 : 200, headers, bytes)
  }

  const server = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? '/', 'http://bucket')
      const [, bucket = '', ...rest] = url.pathname.split('/')
      const key = rest.map(decodeURIComponent).join('/')
      if (partsToBreak > 0 && request.method === 'PUT' && url.searchParams.has('partNumber')) {
        partsToBreak--
        request.once('data', () => request.socket.destroy())
        return
      }
      if (isSilent) {
        unanswered.push(`${request.method} ${request.url}`)
        return
      }
      const pieces: Buffer[] = []
      for await (const piece of request) pieces.push(piece as Buffer)
      const fault = await faultOf(`${request.method} ${request.url}`)
      try {
        if (fault === 'refused') throw new Refusal(503, 'SlowDown')
        if (everyStatus !== undefined) throw new Refusal(everyStatus, 'SlowDown')
        if (!request.headers.authorization?.includes(`Credential=${accessKey}/`))
          throw new Refusal(403, 'InvalidAccessKeyId')
        if (String(request.headers['x-amz-content-sha256']).startsWith('STREAMING-'))
          throw new Refusal(501, 'NotImplemented')
        if (bucket !== name) throw new Refusal(404, 'NoSuchBucket')
        // The answer of a broken connection goes nowhere.
        if (fault === 'lost') request.socket.destroy()
        handle(request, response, key, url.searchParams, Buffer.concat(pieces))
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${error.code}</Code><Message>${error.code}</Message></Error>`
        answer(response, error.status, { 'content-type': 'application/xml' }, request.method === 'HEAD' ? '' : body)
      }
    })().catch(() => request.socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    env: {
      STORAGE: 's3',
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_REGION: 'us-east-1',
      S3_BUCKET: name,
      S3_ACCESS_KEY_ID: accessKey,
      S3_SECRET_ACCESS_KEY: 'a secret for tests',
    },
    keys: () => [...objects.keys()].sort(),
    unfinished: () => uploads.size,
    failNextCompletion: () => {
      failsNextCompletion = true
    },
    conflictNextWrite: () => {
      conflictsNextWrite = true
    },
    breakPartUploads: (times) => {
      partsToBreak = times
    },
    closeIdle: () => server.closeIdleConnections(),
    async stopListening() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
    async startListening() {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    stopAnswering: () => {
      isSilent = true
      unanswered = []
    },
    resumeAnswering: () => {
      isSilent = false
    },
    unanswered: () => unanswered,
    disturb: (next) => {
      faultOf = next
    },
    answerAll: (status) => {
      everyStatus = status
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
