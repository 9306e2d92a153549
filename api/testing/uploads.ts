import { createHash } from 'node:crypto'
import { request, type ClientRequest, type OutgoingHttpHeaders } from 'node:http'
import type { Visitor } from './actors.ts'

type TusAnswer = { status: number; headers: Headers; body: { message?: string; code?: string } }

const encode = (value: string) => Buffer.from(value, 'utf8').toString('base64')

async function ask(visitor: Visitor, path: string, init: RequestInit): Promise<TusAnswer> {
  const response = await visitor.fetch(path, {
    ...init,
    headers: { 'tus-resumable': '1.0.0', ...(init.headers as Record<string, string>) },
  })
  const text = await response.text()
  let body: TusAnswer['body'] = {}
  try {
    body = JSON.parse(text)
  } catch {
    // No body, or not JSON.
  }
  return { status: response.status, headers: response.headers, body }
}

/** The tus protocol without a client library, so that tests see every response. */
export const tus = {
  create: async (
    visitor: Visitor,
    file: { name?: string; type?: string; bytes: number },
    headers: Record<string, string> = {},
  ) => {
    const metadata = [
      ...(file.name === undefined ? [] : [`filename ${encode(file.name)}`]),
      ...(file.type === undefined ? [] : [`filetype ${encode(file.type)}`]),
    ]
    return await ask(visitor, '/api/uploads', {
      method: 'POST',
      headers: {
        'upload-length': String(file.bytes),
        ...(metadata.length > 0 ? { 'upload-metadata': metadata.join(',') } : {}),
        ...headers,
      },
    })
  },
  patch: async (visitor: Visitor, location: string, offset: number, bytes: Uint8Array<ArrayBuffer>) =>
    await ask(visitor, location, {
      method: 'PATCH',
      headers: { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
      body: bytes,
    }),
  head: async (visitor: Visitor, location: string) => await ask(visitor, location, { method: 'HEAD' }),
  terminate: async (visitor: Visitor, location: string) => await ask(visitor, location, { method: 'DELETE' }),
}

/**
 * Uploads a file in requests of `chunk` bytes and returns the last response, or that of a refused creation.
 */
export async function upload(
  visitor: Visitor,
  file: { name: string; type: string; bytes: Buffer },
  chunk = 8_388_608,
): Promise<TusAnswer & { location: string }> {
  const created = await tus.create(visitor, { name: file.name, type: file.type, bytes: file.bytes.length })
  const location = created.headers.get('location') ?? ''
  let last = created
  for (let at = 0; last.status < 300 && at < file.bytes.length; at += chunk) {
    last = await tus.patch(visitor, location, at, Uint8Array.from(file.bytes.subarray(at, at + chunk)))
  }
  return { ...last, location }
}

export type SentFile = { name: string; type: string; bytes: Buffer }

/** Uploads files in the multipart field `files`. */
export async function sendForm(
  visitor: Visitor,
  files: SentFile[],
  field = 'files',
  { path = '/api/media/upload', headers = {} }: { path?: string; headers?: Record<string, string> } = {},
): Promise<{ status: number; body: unknown }> {
  const form = new FormData()
  for (const file of files) form.append(field, new Blob([Uint8Array.from(file.bytes)], { type: file.type }), file.name)
  const response = await visitor.fetch(path, { method: 'POST', body: form, headers })
  return { status: response.status, body: await response.json() }
}

/** SHA-256 of an item's original as its artist gets it; '' when there is none. */
export async function originalSha(visitor: Visitor, mediaId: string | null): Promise<string> {
  const response = await visitor.fetch(`/files/media/${mediaId}/original`)
  return response.status === 200
    ? createHash('sha256')
        .update(await response.bytes())
        .digest('hex')
    : ''
}

const cookieOf = (visitor: Visitor) => [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')

/** Begins a media form with one JPEG, up to the file's first byte; the caller writes the rest or disconnects. */
export function beginForm(
  visitor: Visitor,
  origin: string,
  headers: OutgoingHttpHeaders = {},
  { path, field } = { path: '/api/media/upload', field: 'files' },
): ClientRequest {
  const form = request(new URL(path, origin), {
    method: 'POST',
    headers: { cookie: cookieOf(visitor), 'content-type': 'multipart/form-data; boundary=b', ...headers },
  })
  form.write(
    `--b\r\ncontent-disposition: form-data; name="${field}"; filename="a.jpg"\r\ncontent-type: image/jpeg\r\n\r\n`,
  )
  return form
}

/** Begins to send all bytes of an upload in one request, whose body the caller writes. */
export function beginPiece(visitor: Visitor, url: URL, bytes: number): ClientRequest {
  return request(url, {
    method: 'PATCH',
    headers: {
      cookie: cookieOf(visitor),
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
      'content-length': bytes,
    },
  })
}
