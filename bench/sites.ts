import { defaultBranding } from '@flashsheet/contracts/palette'
import { users } from '@flashsheet/db/schema/auth'
import { subscriptions } from '@flashsheet/db/schema/subscription'
import { sites } from '@flashsheet/db/schema/website'
import { fork, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { request } from 'node:http'
import * as path from 'node:path'
import { newId } from '../api/core/ids.ts'
import { freePorts } from '../api/testing/ports.ts'
import { load, type Load } from './with-load.ts'
import { median, openBench, processorSeconds, type Bench } from './with-product.ts'

const rounds = 5
const seconds = 3
const siteCount = 1000
const connections = 32

/**
 * Pages of an artist's site per second from the app, alternating with a server that sends the same compressed bytes from
 * disk: nginx when it is installed, otherwise plain node:http; one process against one worker. Also prints the CPU time per
 * page of each, and the load of the client, which may be too slow for nginx on two cores. Then 1,000 sites: each without
 * the cache, and all in turn with it.
 */
export async function run(): Promise<void> {
  const app = await openBench({ RATE_LIMITS: 'off' })
  const undo: (() => Promise<unknown>)[] = [app.finish]
  try {
    await app.start('worker')
    const web = await app.start('web')
    const { host } = new URL(app.url)
    const port = Number(new URL(app.url).port)
    const names = await makeSites(app)
    const page = { host, path: `/s/${names[0]}` }
    const answer = await fetch(`${app.url}${page.path}`, { headers: { 'accept-encoding': 'br' } })
    const html = Buffer.byteLength(await answer.text())
    const bytes = Number(answer.headers.get('content-length'))
    console.log(`a page: ${html} bytes of HTML and CSS, ${bytes} on the wire (br)`)

    const folder = path.join(app.folder, 'bare')
    fs.mkdirSync(folder)
    await saveCompressed(`${app.url}${page.path}`, path.join(folder, 'page.br'))
    const bare = (await startNginx(folder, undo)) ?? (await startBare(folder, undo))
    const results: { app: Measured[]; bare: Measured[] } = { app: [], bare: [] }
    // The first round warms up compilers and page caches of both.
    for (let n = 0; n <= rounds; n++) {
      const theirs = await measured(
        bare.server,
        async () => await load(bare.port, [{ host: 'localhost', path: '/page' }], { seconds, connections }),
      )
      const ours = await measured(web.child, async () => await load(port, [page], { seconds, connections }))
      if (n === 0) continue
      results.bare.push(theirs)
      results.app.push(ours)
    }
    const [ours, theirs] = [report('the app', results.app), report(bare.name, results.bare)]
    console.log(
      `ratio                    ${(ours / theirs).toFixed(2)} (aim against nginx: at least 0.50)${bare.name === 'nginx' ? '' : '; nginx is not on this machine (Debian: nginx-light)'}`,
    )

    const pages = names.map((name) => ({ host, path: `/s/${name}` }))
    const cold = await load(port, pages.slice(1), { requests: pages.length - 1, connections: 16 })
    console.log(
      `${siteCount} sites, first visit:   ${cold.perSecond.toFixed(0)} pages/s, p50 ${cold.p50.toFixed(1)} ms, p99 ${cold.p99.toFixed(1)} ms`,
    )
    const cached = await load(port, pages, { seconds: seconds * 2, connections: 16 })
    console.log(
      `${siteCount} sites, cached:        ${cached.perSecond.toFixed(0)} pages/s, p50 ${cached.p50.toFixed(1)} ms, p99 ${cached.p99.toFixed(1)} ms`,
    )
  } finally {
    for (const step of undo.reverse()) await step()
  }
}

/** Inserts artists with a site each. */
async function makeSites(app: Bench): Promise<string[]> {
  const now = new Date()
  const all = Array.from({ length: siteCount }, (_, n) => ({ id: newId(), name: `bench-site-${n}` }))
  for (let from = 0; from < all.length; from += 200) {
    const some = all.slice(from, from + 200)
    await app.client.db.insert(users).values(
      some.map(({ id, name }) => ({
        id,
        name: 'Ada Inkwell',
        email: `${name}@studio.example`,
        timeZone: 'America/New_York',
        emailVerifiedAt: now,
        createdAt: now,
        updatedAt: now,
      })),
    )
    await app.client.db.insert(subscriptions).values(
      some.map(({ id, name }) => ({
        id: newId(),
        userId: id,
        stripeSubscriptionId: `sub_${name}`,
        stripeCustomerId: `cus_${name}`,
        plan: 'complete-shading' as const,
        status: 'active' as const,
        mrr: 4900,
        createdAt: now,
        updatedAt: now,
      })),
    )
    await app.client.db.insert(sites).values(
      some.map(({ id, name }) => ({
        userId: id,
        domainName: name,
        published: true,
        name: 'Ada Inkwell',
        shopName: 'Inkwell & Daughters',
        about: 'Fine lines, slow hours. '.repeat(40).trim(),
        email: 'ada@inkwell.example',
        phone: '(718) 555-0142',
        shopAddress: '214 Needle Street',
        city: 'Brooklyn',
        state: 'NY',
        zip: '11249',
        ...defaultBranding,
        createdAt: now,
        updatedAt: now,
      })),
    )
  }
  return all.map((one) => one.name)
}

/** The exact bytes that the app sends, still compressed. */
async function saveCompressed(url: string, file: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const sent = request(url, { headers: { 'accept-encoding': 'br' } }, (answer) => {
      answer.pipe(fs.createWriteStream(file)).once('finish', resolve).once('error', reject)
    })
    sent.once('error', reject)
    sent.end()
  })
}

type Measured = { perSecond: number; microseconds: number; clientProcessors: number }

/** A load with the CPU time it cost the server, and the client's CPU use. */
async function measured(server: { pid?: number | undefined }, run: () => Promise<Load>): Promise<Measured> {
  const [before, own, startedAt] = [processorSeconds(server), process.cpuUsage(), performance.now()]
  const { perSecond } = await run()
  const seconds = (performance.now() - startedAt) / 1000
  const { user, system } = process.cpuUsage(own)
  return {
    perSecond,
    microseconds: ((processorSeconds(server) - before) * 1e6) / (perSecond * seconds),
    clientProcessors: (user + system) / 1e6 / seconds,
  }
}

/** Prints the medians; returns pages per second. */
function report(name: string, rounds: readonly Measured[]): number {
  const [perSecond, microseconds, clientProcessors] = (['perSecond', 'microseconds', 'clientProcessors'] as const).map(
    (key) => median(rounds.map((round) => round[key])),
  ) as [number, number, number]
  console.log(
    `${name.padEnd(24)} ${perSecond.toFixed(0).padStart(7)} pages/s, ${microseconds.toFixed(1)} microseconds of processor time a page; the client took ${clientProcessors.toFixed(2)} processors`,
  )
  return perSecond
}

type Bare = { name: string; port: number; server: { pid?: number | undefined } }

async function startNginx(folder: string, undo: (() => Promise<unknown>)[]): Promise<Bare | undefined> {
  if (spawnSync('nginx', ['-v']).error) return undefined
  const [port] = await freePorts(1)
  const settings = path.join(folder, 'nginx.conf')
  fs.writeFileSync(
    settings,
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
events { worker_connections 1024; }
http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 10000000; open_file_cache max=100;
  server { listen 127.0.0.1:${port}; location = /page { default_type "text/html; charset=utf-8"; add_header content-encoding br; alias ${folder}/page.br; } } }`,
  )
  const child: ChildProcess = spawn('nginx', ['-p', folder, '-c', settings], { stdio: 'ignore' })
  undo.push(async () => child.kill())
  for (let tries = 0; tries < 50; tries++) {
    if (
      await fetch(`http://127.0.0.1:${port}/page`).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return { name: 'nginx', port: port ?? 0, server: { pid: workerOf(child) } }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('nginx did not start')
}

/** The nginx process that serves requests. */
function workerOf({ pid }: ChildProcess): number {
  return Number(fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0])
}

async function startBare(folder: string, undo: (() => Promise<unknown>)[]): Promise<Bare> {
  const child = fork(path.join(import.meta.dirname, 'with-bare-files.ts'), [path.join(folder, 'page.br')])
  undo.push(async () => child.kill())
  const [port] = (await once(child, 'message')) as [number]
  return { name: 'node:http from disk', port, server: child }
}
