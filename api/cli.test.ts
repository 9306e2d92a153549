import { runCli } from '@flashsheet/cli'
import { saveLogin, saveUnansweredPost, saveUpload, readUnansweredPost, readUploads } from '@flashsheet/cli/config-file'
import { localFile } from '@flashsheet/cli/upload-file'
import { keyMessages } from '@flashsheet/contracts/keys/messages'
import type { MediaItem } from '@flashsheet/contracts/media/schema'
import { postLimits } from '@flashsheet/contracts/posts/limits'
import type { Post, PostResult } from '@flashsheet/contracts/posts/schema'
import { picture } from '@flashsheet/sandbox/fixtures/videos'
import { execFile, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArtist, type Artist } from './testing/actors.ts'
import { startTestApp, type TestApp } from './testing/app.ts'
import { connect } from './testing/connect.ts'
import { createProgram } from './testing/keys.ts'
import { startRecordingProxy, type RecordingProxy } from './testing/recording-proxy.ts'
import { eventually } from './testing/sandbox.ts'
import { tus } from './testing/uploads.ts'

const main = fileURLToPath(new URL('../packages/cli/main.ts', import.meta.url))
let app: TestApp
let artist: Artist
let key: string
let page: string
let folder: string
let photo: string
beforeAll(async () => {
  app = await startTestApp()
  artist = await createArtist(app)
  page = (await connect(app, artist, 'facebook')).pages[0]?.name ?? ''
  await artist.put('/api/queue', { slots: [{ days: [1, 2, 3, 4, 5, 6, 7], time: '09:00' }] })
  key = (await createProgram(app, artist, ['media:write', 'accounts:read', 'posts:write'])).key
  folder = await fs.mkdtemp(path.join(tmpdir(), 'flashsheet-cli-'))
  photo = path.join(folder, 'photo.jpg')
  await fs.writeFile(photo, await picture(800, 1000, 31))
})
afterAll(async () => {
  await fs.rm(folder, { recursive: true })
  await app.stop()
})

/** Runs a command in a terminal, with `typed` as input. `onErr` gets what is written to stderr. */
async function run(
  args: string[],
  {
    home = 'home',
    typed = '',
    input = Readable.from([typed]),
    signal = new AbortController().signal,
    onErr = (_text: string) => {},
  } = {},
) {
  let [out, err] = ['', '']
  const exitCode = await runCli(args, {
    folder: path.join(folder, home),
    input,
    out: (text) => void (out += text),
    err: (text) => {
      err += text
      onErr(text)
    },
    isTerminal: true,
    signal,
  })
  return { exitCode, out, err }
}
const logIn = async () => await run(['login', '--url', app.url], { typed: `${key}\n` })

describe('a command that fails', () => {
  test.each([
    ['no command', [], 2],
    ['an unknown command', ['dance'], 2],
    ['the name of something every object has', ['constructor'], 2],
    ['an unknown option', ['posts', '--loud'], 2],
    ['an address that is not http', ['login', '--url', 'ftp://localhost'], 2],
    ['an impossible port', ['webhooks', 'listen', '--port', '65536'], 2],
    ['no file', ['post', '--to', 'facebook'], 2],
    ['an argument too many', ['retry', 'one', 'two'], 2],
    ['an option of another command', ['retry', 'one', '--at', 'now'], 2],
    ['a limit that is not a number', ['posts', '--limit', 'all'], 2],
    ['nobody logged in', ['posts'], 3],
  ])('%s ends with its exit code', async (_what, args, exitCode) => {
    expect((await run(args, { home: 'nobody' })).exitCode).toBe(exitCode)
  })

  test.each(['fs_test_nonsense', '', 'fs_test_ключ', '\u001B[200~fs_test_nonsense'])(
    'an invalid key is not stored: %s',
    async (typed) => {
      const refused = await run(['login', '--url', app.url], { home: 'wrong', typed: `${typed}\n` })
      expect(refused).toMatchObject({ exitCode: 3, err: expect.stringContaining(keyMessages.notValid) })
      expect((await run(['posts'], { home: 'wrong' })).exitCode).toBe(3)
    },
  )

  test('reports a login that cannot be stored', async () => {
    // A file is where the folder would be.
    const refused = await run(['login', '--url', app.url], { home: 'photo.jpg', typed: `${key}\n` })
    expect(refused).toMatchObject({ exitCode: 1, out: '', err: expect.stringContaining('cannot be written') })
  })

  test('exits with 4 when no server answers', async () => {
    const refused = await run(['login', '--url', 'http://127.0.0.1:1'], { home: 'wrong', typed: `${key}\n` })
    expect(refused.exitCode).toBe(4)
  })

  test('reports wrong arguments before anything is uploaded', async () => {
    await logIn()
    const before = (await artist.get<unknown[]>('/api/media')).body.length
    for (const [args, message] of [
      [['--to', 'instagram'], 'Nothing connected is called instagram.'],
      [['--to', 'facebook'], `could be several: facebook:${page}`],
      [['--to', ','], 'Please say where to'],
      [['--to', `facebook:${page},facebook:${page}`], 'A page was picked twice.'],
      [['--to', `facebook:${page}`, '--at', 'soon'], 'soon is no time.'],
      [['--to', `facebook:${page}`, '--at', '2099-01-01T10:00'], '2099-01-01T10:00 is no time.'],
      [['--to', `facebook:${page}`, '--at', '2099-01-01'], '2099-01-01 is no time.'],
      [['--to', `facebook:${page}`, '--at', '5'], '5 is no time.'],
    ] as const)
      expect(await run(['post', photo, ...args])).toMatchObject({ exitCode: 2, err: expect.stringContaining(message) })
    const text = path.join(folder, 'notes.txt')
    await fs.writeFile(text, 'hello')
    expect((await run(['post', photo, text, '--to', `facebook:${page}`])).exitCode).toBe(2)
    expect((await artist.get<unknown[]>('/api/media')).body.length).toBe(before)
  })

  test('prints a refusal as JSON with --json', async () => {
    await logIn()
    const refused = await run(['retry', '00000000-0000-7000-8000-000000000000', '--json'])
    expect(refused.exitCode).toBe(1)
    expect(JSON.parse(refused.out)).toMatchObject({ error: { code: 'notFound' } })
  })
})

test('logs in, and stores the key in a file that only its owner can read', async () => {
  const done = await logIn()
  expect(done).toMatchObject({ exitCode: 0, out: `Logged in as ${artist.name} (${artist.email}).\n` })
  const file = path.join(folder, 'home', 'login.json')
  expect((await fs.stat(file)).mode & 0o077).toBe(0)
})

test('posts a photo at the next slot, and lists it', async () => {
  await logIn()
  const command = ['post', photo, '--to', `facebook:${page}`, '--caption', 'Fresh flash', '--at', 'next-slot']
  const done = await run([...command, '--json'])
  expect(done.exitCode).toBe(0)
  expect(done.err).toContain('100 %')
  const made = JSON.parse(done.out) as PostResult & { link: string }
  expect(made.link).toBe(`${app.url}/scheduled-posts?post=${made._id}`)
  const { body: post } = await artist.get<Post>(`/api/posts/${made._id}`)
  expect(post).toMatchObject({ status: 'scheduled', queue: 'placed', variants: [{ message: 'Fresh flash' }] })
  expect((await run(['posts', '--limit', '1'])).out).toContain(made._id)
  expect(JSON.parse((await run(['posts', '--json'])).out)).toMatchObject([{ _id: made._id }])
})

test('resumes an interrupted upload', async () => {
  await logIn()
  const file = path.join(folder, 'half.jpg')
  const bytes = await picture(800, 1000, 32)
  await fs.writeFile(file, bytes)
  const location = (
    await tus.create(artist, { name: 'half.jpg', type: 'image/jpeg', bytes: bytes.byteLength })
  ).headers.get('location')
  const url = new URL(location ?? '', app.url).href
  const half = Math.floor(bytes.byteLength / 2)
  const sent = await artist.fetch(url, {
    method: 'PATCH',
    headers: { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    body: new Uint8Array(bytes.subarray(0, half)),
  })
  expect(sent.headers.get('upload-offset')).toBe(String(half))
  const home = path.join(folder, 'home')
  await saveUpload(home, (await localFile({ url: app.url }, file)).key, url)
  const done = await run(['post', file, '--to', `facebook:${page}`, '--at', '2099-01-01T10:00:00Z'])
  expect(done).toMatchObject({ exitCode: 0, out: expect.stringContaining('Scheduled for 2099-01-01T10:00:00.000Z') })
  expect(
    (await artist.fetch(url, { method: 'HEAD', headers: { 'tus-resumable': '1.0.0' } })).headers.get('media-id'),
  ).toBeTruthy()
  expect(await readUploads(home)).toEqual({})
})

describe('a lost response', () => {
  let proxy: RecordingProxy
  let calls: string[] = []
  beforeAll(async () => {
    proxy = await startRecordingProxy()
    proxy.setTarget(Number(new URL(app.url).port))
    proxy.listen({
      call: ({ method, path: to }) => void calls.push(`${method} ${to.split('/', 3).join('/')}`),
      fault: () => {},
    })
  })
  afterAll(async () => await proxy.stop())

  const sent = ['GET /api/social-accounts', 'POST /api/uploads', 'PATCH /api/uploads', 'POST /api/posts']
  test.each([
    ['to the creation of an upload', 2, ['POST /api/uploads']],
    ['to the last chunk of an upload', 3, ['HEAD /api/uploads']],
    ['to the post', 4, ['POST /api/posts']],
  ])('%s is requested again, and nothing is created twice', async (_what, nth, repeated) => {
    await run(['login', '--url', proxy.url], { home: 'proxied', typed: `${key}\n` })
    const file = path.join(folder, `lost-${nth}.jpg`)
    await fs.writeFile(file, await picture(800, 1000, 40 + nth))
    const made = async () =>
      await Promise.all([artist.get<Post[]>('/api/posts'), artist.get<MediaItem[]>('/api/media')]).then((lists) =>
        lists.map(({ body }) => body.length),
      )
    const [posts = 0, items = 0] = await made()
    calls = []
    proxy.disturb(nth, { kind: 'lost' })
    const done = await run(['post', file, '--to', `facebook:${page}`, '--at', '2099-01-01T10:00:00Z', '--json'], {
      home: 'proxied',
    })
    expect({ exitCode: done.exitCode, calls }).toEqual({ exitCode: 0, calls: sent.toSpliced(nth, 0, ...repeated) })
    expect(await made()).toEqual([posts + 1, items + 1])
    const { body: post } = await artist.get<Post>(`/api/posts/${(JSON.parse(done.out) as PostResult)._id}`)
    expect(post.media.map(({ fileName }) => fileName)).toEqual([`lost-${nth}.jpg`])
  })

  test.each([
    ['loses every answer', { kind: 'lost' }],
    ['fails after each call', { kind: 'status', status: 503, after: true }],
  ] as const)('repeating a command whose server %s creates no second post', async (what, fault) => {
    await run(['login', '--url', proxy.url], { home: 'proxied', typed: `${key}\n` })
    const file = path.join(folder, 'unanswered.jpg')
    await fs.writeFile(file, await picture(800, 1000, 51))
    let isFaulty = true
    calls = []
    proxy.listen({
      call: ({ method, path: to }) => {
        calls.push(`${method} ${to.split('/', 3).join('/')}`)
        if (isFaulty && (method === 'PATCH' || to.startsWith('/api/posts'))) proxy.disturb(1, fault)
      },
      fault: () => {},
    })
    const post = async () =>
      await run(
        ['post', file, '--to', `facebook:${page}`, '--caption', what, '--at', '2099-01-01T10:00:00Z', '--json'],
        { home: 'proxied' },
      )
    const failed = await post()
    expect(failed).toMatchObject({ exitCode: 4, out: expect.stringContaining('makes no second post') })
    expect(calls).toEqual([...sent, 'POST /api/posts', 'POST /api/posts'])
    const existing = (await artist.get<Post[]>('/api/posts')).body.map(({ _id }) => _id)
    isFaulty = false
    proxy.reset()
    calls = []
    const done = await post()
    expect(calls).toEqual(['GET /api/social-accounts', 'POST /api/posts'])
    expect(existing).toContain((JSON.parse(done.out) as PostResult)._id)
    expect((await artist.get<Post[]>('/api/posts')).body.map(({ _id }) => _id)).toEqual(existing)
    // After the answer has arrived, the same command creates another post.
    expect(existing).not.toContain((JSON.parse((await post()).out) as PostResult)._id)
  })

  test('repeating a command that could not forget its uploads creates no second post', async () => {
    await run(['login', '--url', proxy.url], { home: 'proxied', typed: `${key}\n` })
    const file = path.join(folder, 'not-forgotten.jpg')
    await fs.writeFile(file, await picture(800, 1000, 56))
    // A folder where the file would be, made after the upload is stored.
    const uploads = path.join(folder, 'proxied', 'uploads.json')
    proxy.reset()
    proxy.listen({
      call: ({ path: to }) => {
        if (!to.startsWith('/api/posts')) return
        rmSync(uploads)
        mkdirSync(path.join(uploads, 'full'), { recursive: true })
      },
      fault: () => {},
    })
    const args = ['post', file, '--to', `facebook:${page}`, '--at', '2099-01-01T10:00:00Z', '--json']
    expect((await run(args, { home: 'proxied' })).exitCode).toBe(1)
    const existing = (await artist.get<Post[]>('/api/posts')).body.map(({ _id }) => _id)
    rmSync(uploads, { recursive: true })
    proxy.listen({ call: () => {}, fault: () => {} })
    expect(existing).toContain((JSON.parse((await run(args, { home: 'proxied' })).out) as PostResult)._id)
    expect((await artist.get<Post[]>('/api/posts')).body.map(({ _id }) => _id)).toEqual(existing)
  })

  test.each([
    ['the same command', false],
    ['another command', true],
  ])('a refusal for now of the repeat, by %s, creates no second post later', async (_what, isLater) => {
    await run(['login', '--url', proxy.url], { home: 'proxied', typed: `${key}\n` })
    const file = path.join(folder, `refused-for-now-${isLater}.jpg`)
    await fs.writeFile(file, await picture(800, 1000, isLater ? 54 : 55))
    const lost = { nth: 1, fault: { kind: 'lost' } } as const
    const tooMany = { kind: 'status', status: 429, body: { code: 'tooMany', message: 'Too many calls.' } } as const
    // Another command first reads the accounts.
    const faults = isLater ? [lost, lost, lost, { nth: 2, fault: tooMany }] : [lost, { nth: 1, fault: tooMany }]
    proxy.reset()
    proxy.listen({
      call: ({ method, path: to }) => {
        const next = method === 'PATCH' || to.startsWith('/api/posts') ? faults.shift() : undefined
        if (next) proxy.disturb(next.nth, next.fault)
      },
      fault: () => {},
    })
    const post = async () =>
      await run(['post', file, '--to', `facebook:${page}`, '--at', '2099-01-01T10:00:00Z', '--json'], {
        home: 'proxied',
      })
    if (isLater) expect((await post()).exitCode).toBe(4)
    expect(await post()).toMatchObject({ exitCode: 1, out: expect.stringContaining('Too many calls.') })
    const existing = (await artist.get<Post[]>('/api/posts')).body.map(({ _id }) => _id)
    expect(existing).toContain((JSON.parse((await post()).out) as PostResult)._id)
  })
})

test('posts nothing after Ctrl-C, also when it came before the upload', async () => {
  await logIn()
  const posts = async () => (await artist.get<Post[]>('/api/posts')).body.map(({ _id }) => _id)
  const before = await posts()
  const command = ['post', photo, '--to', `facebook:${page}`, '--at', '2099-01-01T10:00:00Z']
  expect(await run(command, { signal: AbortSignal.abort() })).toMatchObject({
    exitCode: 1,
    err: expect.stringContaining('Stopped.'),
  })
  expect(await posts()).toEqual(before)
})

describe('Ctrl-C', () => {
  /** A server that never answers. `called` is settled by its first call. */
  async function startSilentServer() {
    const server = createServer().listen(0, '127.0.0.1')
    const called = once(server, 'connection')
    await once(server, 'listening')
    return { server, called, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  }
  const stoppedAtOnce = { exitCode: 1, err: expect.stringContaining('Stopped.') }

  test('ends a login that waits for the key', async () => {
    const stop = new AbortController()
    const asked = run(['login', '--url', app.url], {
      input: new Readable({ read: () => {} }),
      signal: stop.signal,
      onErr: () => stop.abort(),
    })
    expect(await asked).toMatchObject(stoppedAtOnce)
  })

  test.each([
    { command: ['posts'], advice: 'Stopped.\n' },
    { command: ['retry', '00000000-0000-7000-8000-000000000000'], advice: 'Stopped.\n' },
  ])('ends $command.0 while the server does not answer', async ({ command, advice }) => {
    const { server, called, url } = await startSilentServer()
    await saveLogin(path.join(folder, 'silent'), { url, apiKey: key })
    const stop = new AbortController()
    const running = run(command, { home: 'silent', signal: stop.signal })
    const [socket] = (await called) as [Socket]
    stop.abort()
    expect(await running).toEqual({ exitCode: 1, out: '', err: advice })
    socket.destroy()
    server.close()
  })

  test('ends a process', async () => {
    const env = { ...process.env, XDG_CONFIG_HOME: path.join(folder, 'interrupted') }
    const child = spawn(process.execPath, [main, 'login'], { env, stdio: ['pipe', 'ignore', 'pipe'] })
    await once(child.stderr, 'data')
    child.kill('SIGINT')
    expect(await once(child, 'exit')).toEqual([1, null])
  })
})

test('a refusal of an upload without a body names its status', async () => {
  const proxy = await startRecordingProxy()
  proxy.setTarget(Number(new URL(app.url).port))
  await run(['login', '--url', proxy.url], { home: 'bodiless', typed: `${key}\n` })
  const file = path.join(folder, 'bodiless.jpg')
  await fs.writeFile(file, await picture(800, 1000, 56))
  proxy.reset()
  // The accounts are read first.
  proxy.disturb(2, { kind: 'status', status: 413 })
  expect(await run(['post', file, '--to', `facebook:${page}`], { home: 'bodiless' })).toMatchObject({
    exitCode: 1,
    err: expect.stringMatching(/^The server answered 413\.$/m),
  })
  await proxy.stop()
})

test('repeating a refused post with another caption does not upload the file again', async () => {
  await logIn()
  const file = path.join(folder, 'wordy.jpg')
  await fs.writeFile(file, await picture(800, 1000, 53))
  const post = async (caption: string) =>
    await run(['post', file, '--to', `facebook:${page}`, '--caption', caption, '--at', '2099-01-01T10:00:00Z'])
  expect((await post('x'.repeat(postLimits.captionMax + 1))).exitCode).toBe(1)
  const library = async () => (await artist.get<MediaItem[]>('/api/media')).body.map(({ _id }) => _id)
  const items = await library()
  expect((await post('Shorter')).exitCode).toBe(0)
  expect(await library()).toEqual(items)
})

test('a file whose item was deleted after a refused post is uploaded again', async () => {
  await logIn()
  const file = path.join(folder, 'deleted.jpg')
  await fs.writeFile(file, await picture(800, 1000, 57))
  const post = async (caption: string) =>
    await run(['post', file, '--to', `facebook:${page}`, '--caption', caption, '--at', '2099-01-01T10:00:00Z'])
  expect((await post('x'.repeat(postLimits.captionMax + 1))).exitCode).toBe(1)
  const [item] = (await artist.get<MediaItem[]>('/api/media')).body
  expect((await artist.delete('/api/media', { ids: [item?._id] })).status).toBe(200)
  expect(await post('Shorter')).toMatchObject({ exitCode: 0 })
})

test('a file that was changed is another upload, even with the same size', async () => {
  const file = path.join(folder, 'changed.jpg')
  const keyOf = async () => (await localFile({ url: app.url }, file)).key
  await fs.writeFile(file, 'one')
  const before = await keyOf()
  expect(await keyOf()).toBe(before)
  await fs.writeFile(file, 'two')
  await fs.utimes(file, new Date(), new Date('2030-01-01'))
  expect(await keyOf()).not.toBe(before)
})

test('posts that are sent concurrently all keep their request ids', async () => {
  const home = path.join(folder, 'at once')
  const keys = Array.from({ length: 20 }, (_, at) => `post-${at}`)
  await Promise.all(keys.map(async (name) => await saveUnansweredPost(home, name, { requestId: name, mediaIds: [] })))
  expect(await Promise.all(keys.map(async (name) => (await readUnansweredPost(home, name))?.requestId))).toEqual(keys)
})

test('reports a port that is in use', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  expect(await run(['webhooks', 'listen', '--port', String(port)])).toMatchObject({
    exitCode: 1,
    err: expect.stringContaining(`Port ${port} cannot be used`),
  })
  taken.close()
})

test('prints the events of an endpoint, and refuses calls that are not signed now', async () => {
  const secret = `whsec_${Buffer.from('a secret of an endpoint').toString('base64')}`
  const stop = new AbortController()
  let address = ''
  const listening = run(['webhooks', 'listen', '--port', '0', '--secret', secret, '--json'], {
    signal: stop.signal,
    onErr: (text) => {
      address = /http:\/\/\S+/.exec(text)?.[0] ?? address
    },
  })
  await eventually('the port', async () => await Promise.resolve(address !== ''))
  const body = JSON.stringify({ type: 'ping' })
  const now = Math.floor(Date.now() / 1000)
  const send = async (signature: string, at = now) =>
    (
      await fetch(address, {
        method: 'POST',
        headers: { 'webhook-id': 'msg_1', 'webhook-timestamp': String(at), 'webhook-signature': signature },
        body,
      })
    ).status
  const key64 = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signed = (at: number) => `v1,${createHmac('sha256', key64).update(`msg_1.${at}.${body}`).digest('base64')}`
  expect((await fetch(address, { method: 'POST', body })).status).toBe(401)
  expect(await send('v1,AAAA')).toBe(401)
  // Repeated later by somebody who has recorded it, or signed by a clock that is far ahead.
  for (const at of [now - 310, now + 330]) expect(await send(signed(at), at)).toBe(401)
  expect(await send(`v1,AAAA ${signed(now)}`)).toBe(204)
  stop.abort()
  expect(await listening).toMatchObject({ exitCode: 0, out: `${body}\n` })
})

test('runs as a separate process', async () => {
  await logIn()
  // It stores its files in the folder `flashsheet` of XDG_CONFIG_HOME.
  await fs.cp(path.join(folder, 'home'), path.join(folder, 'settings', 'flashsheet'), { recursive: true })
  const env = { ...process.env, XDG_CONFIG_HOME: path.join(folder, 'settings') }
  const { stdout } = await promisify(execFile)(process.execPath, [main, 'posts', '--json'], { env })
  expect(Array.isArray(JSON.parse(stdout))).toBe(true)
})

test('writes no error when its reader has closed the pipe', async () => {
  const child = spawn(process.execPath, [main, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  let errors = ''
  child.stderr.on('data', (text: Buffer) => (errors += text.toString()))
  expect(await once(child, 'close')).toEqual([0, null])
  expect(errors).toBe('')
})
