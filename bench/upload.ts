import { mediaLimits } from '@flashsheet/contracts/media/limits'
import { fork, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { Agent, request, type IncomingMessage } from 'node:http'
import * as path from 'node:path'
import { median, megabyte, residentBytes, openBench, sessionOf, type Bench } from './with-product.ts'

const rounds = 5
const total = mediaLimits.videoBytes

type Target = { port: number; headers: Record<string, string>; child: ChildProcess }
type Round = { speed: number; grewMb: number }

/**
 * Uploads a 300 MB video by tus to the app and to the bare tus server, alternately, on the same disk. Prints both rates,
 * their ratio, and the memory growth of each server. The app also checks session, ownership, locks, and length and size of
 * the video, and stores the file.
 */
export async function run(): Promise<void> {
  const bench = await openBench()
  const folder = path.join(bench.folder, 'bare')
  const child = fork(path.join(import.meta.dirname, 'with-bare-tus.ts'), [folder])
  try {
    fs.mkdirSync(folder, { recursive: true })
    const [port] = (await once(child, 'message')) as [number]
    const bare: Target = { port, headers: {}, child }
    const app = await startApp(bench)
    const video = writeVideo(path.join(bench.folder, 'video.mp4'))
    const results: { bare: Round[]; app: Round[] } = { bare: [], app: [] }
    // The first round warms up compilers and page caches of both.
    for (let n = 0; n <= rounds; n++) {
      for (const [name, target] of [
        ['bare', bare],
        ['app', app],
      ] as const) {
        const round = await send(target, video)
        if (n > 0) results[name].push(round)
      }
      for (const file of fs.readdirSync(folder)) fs.rmSync(path.join(folder, file))
    }
    const speed = (list: Round[]) => median(list.map((round) => round.speed))
    const grew = (list: Round[]) => Math.max(...list.map((round) => round.grewMb))
    const report = (name: string, list: Round[]) =>
      console.log(
        `${name.padEnd(16)} ${speed(list).toFixed(0).padStart(5)} MB/s   memory grew by at most ${grew(list).toFixed(0).padStart(3)} MB`,
      )
    console.log(
      `${total / megabyte} MB in chunks of ${mediaLimits.chunkBytes / megabyte} MB, median of ${rounds} rounds`,
    )
    report('bare tus server', results.bare)
    report('the app', results.app)
    console.log(`ratio            ${(speed(results.app) / speed(results.bare)).toFixed(2)} (aim: at least 0.90)`)
  } finally {
    child.kill()
    await bench.finish()
  }
}

async function startApp(bench: Bench): Promise<Target> {
  const { child } = await bench.start('all')
  const headers = sessionOf(await bench.artist())
  return { port: Number(new URL(bench.url).port), headers, child }
}

/** Writes a real video of exactly the maximum size: a fixture, then padding that players skip. */
function writeVideo(file: string): string {
  const fixture = fs.readFileSync(path.join(import.meta.dirname, '../packages/sandbox/fixtures/landscape-5s.mp4'))
  const head = Buffer.alloc(8)
  head.writeUInt32BE(total - fixture.length)
  head.write('free', 4, 'latin1')
  const noise = randomBytes(megabyte)
  const out = fs.openSync(file, 'w')
  fs.writeSync(out, fixture)
  fs.writeSync(out, head)
  for (let left = total - fixture.length - 8; left > 0; left -= noise.length)
    fs.writeSync(out, noise, 0, Math.min(noise.length, left))
  fs.closeSync(out)
  return file
}

async function send(target: Target, file: string): Promise<Round> {
  const before = residentBytes(target.child)
  let highest = before
  const watch = setInterval(() => (highest = Math.max(highest, residentBytes(target.child))), 20)
  const agent = new Agent({ keepAlive: true })
  const startedAt = performance.now()
  const created = await ask(target, agent, 'POST', '/api/uploads', {
    'upload-length': total,
    'upload-metadata': `filename ${base64('video.mp4')},filetype ${base64('video/mp4')}`,
  })
  const location = created.headers.location ?? ''
  let last = created
  for (let at = 0; at < total; at += mediaLimits.chunkBytes) {
    const end = Math.min(at + mediaLimits.chunkBytes, total)
    const headers = {
      'upload-offset': at,
      'content-type': 'application/offset+octet-stream',
      'content-length': end - at,
    }
    last = await ask(
      target,
      agent,
      'PATCH',
      location,
      headers,
      fs.createReadStream(file, { start: at, end: end - 1, highWaterMark: 1_048_576 }),
    )
    if (last.statusCode !== 204) throw new Error(`the server answered ${last.statusCode}`)
  }
  const seconds = (performance.now() - startedAt) / 1000
  clearInterval(watch)
  agent.destroy()
  if (target.headers['cookie'] && !last.headers['media-id']) throw new Error('the upload did not become a media item')
  return { speed: total / megabyte / seconds, grewMb: (highest - before) / megabyte }
}

async function ask(
  target: Target,
  agent: Agent,
  method: string,
  to: string,
  headers: Record<string, string | number>,
  body?: fs.ReadStream,
): Promise<IncomingMessage> {
  return await new Promise((resolve, reject) => {
    const sent = request({
      host: '127.0.0.1',
      port: target.port,
      agent,
      method,
      path: to,
      headers: { 'tus-resumable': '1.0.0', ...target.headers, ...headers },
    })
    sent.once('error', reject)
    sent.once('response', (answer: IncomingMessage) => {
      answer.resume()
      answer.once('end', () => resolve(answer))
    })
    if (body) body.pipe(sent)
    else sent.end()
  })
}

const base64 = (text: string) => Buffer.from(text).toString('base64')
