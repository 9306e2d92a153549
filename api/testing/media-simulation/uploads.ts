import type { FromUrlJob, FromUrlState, MediaItem } from '@flashsheet/contracts/media/schema'
import { request } from 'node:http'
import type { Visitor } from '../actors.ts'
import { hour, type Item, type SentFile, type Upload, uploadHours } from './model.ts'
import { urlOf } from './process.ts'
import { makeFile, nowOf, type Owner, posterBytes, type World } from './world.ts'

/** `status` 0: no answer arrived. */
export type Result = { status: number }

/**
 * What an artist does. `send` reports what the answer says to the model; `isAlone`: nothing else is sent meanwhile. `allowed` are the statuses of an operation that
 * runs alone, `also` further ones if it runs beside others.
 */
export type Operation = {
  name: string
  send: (isAlone: boolean) => Promise<Result>
  allowed: readonly number[]
  also?: readonly number[]
}

const cookieOf = (visitor: Visitor) => [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')

/** After this a request counts as hanging. */
const mostMs = 45_000

/** A request whose caller may disconnect before its answer. */
export async function ask(world: World, visitor: Visitor, path: string, init: RequestInit = {}, isPatient = false) {
  const { random } = world
  const signal = AbortSignal.timeout(!isPatient && random.oneIn(9) ? random.whole(1, 60) : mostMs)
  const since = performance.now()
  try {
    const response = await visitor.fetch(path, { ...init, signal })
    const text = await response.text()
    const body: unknown = text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : undefined
    return { status: response.status, headers: response.headers, body }
  } catch (error) {
    if (error instanceof Error && error.message.includes('its schema rejects')) throw error
    world.check(performance.now() - since < mostMs, `${init.method ?? 'GET'} ${path} is not answered`)
    return { status: 0, headers: new Headers(), body: undefined }
  }
}

export const json = (method: string, body: unknown): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** Undefined: unknown. */
export const outcome = (status: number): boolean | undefined =>
  status === 0 || status >= 500 ? undefined : status < 300 || status === 304

export const visitorOf = (world: World, owner: Owner) => world.random.pick(world.processes).visitor(owner.artist)
export const liveItems = (owner: Owner): Item[] =>
  [...owner.library.items.values()].filter((one) => one.existence === 'here')

export function pickSome<T>({ random }: World, list: readonly T[], most = 2): T[] {
  if (list.length === 0) return []
  return [...new Set(Array.from({ length: random.whole(1, most) }, () => random.pick(list)))]
}

function arrived(owner: Owner, id: string, file: SentFile): void {
  const known = owner.library.items.get(id)
  if (!known) owner.library.items.set(id, { id, file, existence: 'here' })
  owner.library.attempts.get(file.name)?.items.add(id)
}

/* Uploads by tus */

export function createUpload(world: World, owner: Owner): Operation {
  const file = makeFile(world)
  const withBytes = world.random.oneIn(5)
  return {
    name: `create ${file.name}${withBytes ? ' with its bytes' : ''}`,
    allowed: [201, 400, 429],
    send: async () => {
      const visitor = visitorOf(world, owner)
      // Without an answer the caller creates another upload, and the first one may become an item if it has all bytes.
      const attempt = owner.library.attempts.get(file.name) ?? { file, mostItems: 0, items: new Set() }
      owner.library.attempts.set(file.name, { ...attempt, mostItems: attempt.mostItems + 1 })
      const encoded = (text: string) => Buffer.from(text).toString('base64')
      const answer = await ask(world, visitor, '/api/uploads', {
        method: 'POST',
        headers: {
          'tus-resumable': '1.0.0',
          'upload-length': String(file.bytes.length),
          'upload-metadata': `filename ${encoded(file.name)},filetype ${encoded(file.type)}`,
          ...(withBytes ? { 'content-type': 'application/offset+octet-stream' } : {}),
        },
        ...(withBytes ? { body: Uint8Array.from(file.bytes) } : {}),
      })
      const { status, headers } = answer
      const path = headers.get('location')
      if (status === 400) world.check(withBytes && !file.isValid, 'a good upload was refused', file.name, answer.body)
      if (status !== 201 || path === null) return answer
      const mediaId = headers.get('media-id') ?? undefined
      const offset = Number(headers.get('upload-offset') ?? 0)
      world.check(!withBytes || mediaId !== undefined, 'a whole upload was answered without its item')
      const upload: Upload = {
        path,
        id: path.split('/').at(-1) ?? '',
        file,
        acknowledged: offset,
        sent: withBytes ? file.bytes.length : 0,
        state: mediaId ? 'finished' : 'open',
        createdAt: nowOf(world),
        isDisturbed: false,
        mediaId,
      }
      owner.library.uploads.push(upload)
      if (mediaId) arrived(owner, mediaId, file)
      return answer
    },
  }
}

export const isExpired = (world: World, { createdAt }: Upload): boolean =>
  nowOf(world) - createdAt >= uploadHours * hour

/** A part of a bucket. */
const mostLost = 8_388_608

/** Learns from an answer of HEAD or PATCH about an upload. */
function learn(world: World, owner: Owner, upload: Upload, status: number, headers: Headers): void {
  const { file } = upload
  const mediaId = headers.get('media-id')
  if (mediaId) {
    world.check(file.isValid, 'a bad file became an item', file.name)
    world.check(upload.mediaId === undefined || upload.mediaId === mediaId, 'an upload became two items', file.name)
    Object.assign(upload, { mediaId, state: 'finished', acknowledged: file.bytes.length })
    arrived(owner, mediaId, file)
  }
  if (status === 400) {
    // A cancelled upload may be, also if the cancellation was answered 503.
    world.check(!file.isValid || upload.state !== 'open', 'a good file was refused', file.name)
    upload.state = 'gone'
  }
}

export async function headUpload(world: World, owner: Owner, upload: Upload, isPatient: boolean): Promise<Result> {
  const { acknowledged, sent } = upload
  const init = { method: 'HEAD', headers: { 'tus-resumable': '1.0.0' } }
  const answer = await ask(world, visitorOf(world, owner), upload.path, init, isPatient)
  learn(world, owner, upload, answer.status, answer.headers)
  if (answer.status === 200 && !answer.headers.get('media-id')) {
    const offset = Number(answer.headers.get('upload-offset'))
    world.check(
      offset >= acknowledged - (upload.isDisturbed ? mostLost : 0) && offset <= upload.sent,
      `an upload of which ${acknowledged} to ${sent} bytes arrived is at ${offset}`,
      upload.file.name,
    )
    if (upload.sent === sent) Object.assign(upload, { acknowledged: offset, sent: offset, isDisturbed: false })
  }
  return answer
}

export function sendPiece(world: World, owner: Owner, upload: Upload): Operation {
  const { random } = world
  const { file } = upload
  const size = file.bytes.length
  const kind = random.pick(['some', 'some', 'rest', 'rest', 'rest', 'cut', 'cut', 'wrong', 'long'] as const)
  const from = kind === 'wrong' ? random.whole(0, size) : upload.acknowledged
  const to = kind === 'rest' ? size : kind === 'long' ? size + 10 : Math.min(size, from + random.whole(1, size))
  const isUnknown = upload.sent > upload.acknowledged || upload.isDisturbed
  // 409 while its parts are deleted but its description is not.
  const expired = isExpired(world, upload) ? [404, 409] : []
  return {
    name: `${kind} ${from}-${to} of ${file.name} (${size})`,
    allowed:
      kind === 'long'
        ? [400, 409, 413, ...expired]
        : isUnknown || kind === 'wrong'
          ? [204, 409, 400, 404]
          : [204, 400, ...expired],
    also: [404, 409, 413, 423],
    send: async (isAlone) => {
      const headers = {
        'tus-resumable': '1.0.0',
        'upload-offset': String(from),
        'content-type': 'application/offset+octet-stream',
      }
      const bytes = Buffer.concat([file.bytes, Buffer.alloc(10)]).subarray(from, to)
      const visitor = visitorOf(world, owner)
      const isKnown = upload.sent === upload.acknowledged
      if (from <= upload.sent) upload.sent = Math.min(size, Math.max(upload.sent, to))
      // The store of a bucket takes the bytes after the last part from it before it stores them with the next ones.
      if (world.isFaulty && world.bucket) upload.isDisturbed = true
      if (kind === 'cut') return await cutPiece(world, visitor, upload, headers, bytes)
      const answer = await ask(world, visitor, upload.path, {
        method: 'PATCH',
        headers,
        body: Uint8Array.from(bytes),
      })
      const { status } = answer
      learn(world, owner, upload, status, answer.headers)
      if (status === 204) {
        const offset = Number(answer.headers.get('upload-offset'))
        world.check(offset === Math.min(to, size), `a piece ${from}-${to} was answered with ${offset}`, file.name)
        if (offset === size) world.check(upload.mediaId !== undefined, 'the last piece was answered without an item')
        upload.acknowledged = Math.max(upload.acknowledged, offset)
      } else if (status > 0 && status < 500 && kind === 'long' && isAlone && isKnown) upload.sent = upload.acknowledged
      return answer
    },
  }
}

/** Sends a part of a piece, and disconnects. */
async function cutPiece(
  world: World,
  visitor: Visitor,
  upload: Upload,
  headers: Record<string, string>,
  bytes: Buffer,
) {
  await new Promise<void>((resolve) => {
    const piece = request(new URL(upload.path, urlOf(visitor)), {
      method: 'PATCH',
      headers: { ...headers, cookie: cookieOf(visitor), 'content-length': bytes.length },
    })
    piece
      .once('error', () => resolve())
      .once('response', () => piece.destroy())
      .once('close', resolve)
    piece.write(bytes.subarray(0, world.random.whole(1, bytes.length)), () => {
      setTimeout(() => piece.destroy(), world.random.whole(0, 25))
    })
  })
  return { status: 0 }
}

export function cancelUpload(world: World, owner: Owner, upload: Upload): Operation {
  return {
    name: `cancel ${upload.file.name}`,
    allowed: [204, 404],
    also: [423],
    send: async () => {
      const answer = await ask(world, visitorOf(world, owner), upload.path, {
        method: 'DELETE',
        headers: { 'tus-resumable': '1.0.0' },
      })
      const isDone = outcome(answer.status)
      if (isDone) upload.state = 'gone'
      if (isDone === undefined && upload.state === 'open') upload.state = 'maybe'
      return answer
    },
  }
}

export function sendPoster(world: World, owner: Owner, upload: Upload): Operation {
  const isVideo = upload.file.type.startsWith('video/')
  return {
    name: `poster of ${upload.file.name}`,
    allowed: isVideo ? [204, 404] : [400, 404],
    send: async () =>
      await ask(world, visitorOf(world, owner), `${upload.path}/poster`, {
        method: 'POST',
        body: Uint8Array.from(await posterBytes(world)),
        headers: { 'content-type': 'image/jpeg' },
      }),
  }
}

/* Forms and addresses */

export function sendForm(world: World, owner: Owner): Operation {
  const { random } = world
  const files: SentFile[] = []
  for (let n = random.whole(1, 3); n > 0; n--) files.push(makeFile(world))
  const isGood = files.every((one) => one.isValid)
  const toGallery = random.oneIn(3)
  const key = random.oneIn(2) ? `form ${files[0]!.name}` : undefined
  for (const file of files) owner.library.attempts.set(file.name, { file, mostItems: 0, items: new Set() })
  owner.library.forms.push(files.map((one) => one.name))
  return {
    name: `form ${files.map((one) => one.name).join()}${toGallery ? ' to the gallery' : ''}${key ? ' with a key' : ''}`,
    allowed: isGood ? [201, 429] : [400, 429],
    send: async () => {
      const form = new FormData()
      for (const { name, type, bytes } of files)
        form.append('files', new Blob([Uint8Array.from(bytes)], { type }), name)
      for (const file of isGood ? files : []) {
        const attempt = owner.library.attempts.get(file.name)!
        attempt.mostItems = key ? 1 : attempt.mostItems + 1
      }
      const answer = await ask(
        world,
        visitorOf(world, owner),
        toGallery ? '/api/websitebuilder/upload' : '/api/media/upload',
        {
          method: 'POST',
          body: form,
          headers: key ? { 'idempotency-key': key } : {},
        },
      )
      if (answer.status === 201) {
        const items = answer.body as MediaItem[]
        const isRepeat = key !== undefined && owner.library.attempts.get(files[0]!.name)!.items.size > 0
        world.check(
          isRepeat || items.map((one) => one.fileName).join() === files.map((one) => one.name).join(),
          'a form was answered with other items',
        )
        for (const item of items)
          arrived(
            owner,
            item._id,
            files.find((one) => one.name === item.fileName)!,
          )
      }
      return answer
    },
  }
}

export function fetchFromUrl(world: World, owner: Owner): Operation {
  const { random } = world
  const file = makeFile(world)
  const way = random.pick(['good', 'good', 'good', 'broken', 'later'] as const)
  const url = world.fileAddress(file, way)
  const requestId = `fetch ${file.name}`
  owner.library.attempts.set(file.name, {
    file,
    mostItems: way === 'broken' || !file.isValid ? 0 : 1,
    items: new Set(),
  })
  return {
    name: `fetch ${file.name} (${way})`,
    allowed: [202],
    send: async () => {
      const answer = await ask(world, visitorOf(world, owner), '/api/media/from-url', json('POST', { url, requestId }))
      if (answer.status !== 202) return answer
      const id = (answer.body as FromUrlJob)._id
      const known = owner.library.fetches.find((one) => one.file === file)
      world.check(!known || known.id === id, 'a repeated fetch got another id')
      const willFail = way === 'broken' || !file.isValid
      if (!known) owner.library.fetches.push({ id, file, state: 'fetching', willFail, createdAt: nowOf(world) })
      return answer
    },
  }
}

export function readFetch(world: World, owner: Owner): Operation | undefined {
  const fetch = owner.library.fetches.findLast((one) => one.state === 'fetching') ?? owner.library.fetches.at(-1)
  if (!fetch) return undefined
  return {
    name: `state of ${fetch.file.name}`,
    allowed: nowOf(world) - fetch.createdAt > 7 * 24 * hour ? [200, 404] : [200],
    send: async () => {
      const answer = await ask(world, visitorOf(world, owner), `/api/media/from-url/${fetch.id}`)
      if (answer.status !== 200) return answer
      const { state, item, message } = answer.body as FromUrlState
      world.check(fetch.state === 'fetching' || fetch.state === state, `a fetch was ${fetch.state} and is ${state}`)
      world.check((state === 'failed') === (message !== undefined), 'a fetch has a wrong message', answer.body)
      if (state === 'done') {
        world.check(!fetch.willFail, 'a fetch of a bad file is done')
        if (item) arrived(owner, item._id, fetch.file)
        else if (!owner.library.items.has(fetch.id)) world.check(false, 'a fetch is done without an item')
      }
      fetch.state = state
      return answer
    },
  }
}
