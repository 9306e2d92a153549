import { staffListNames, staffLists } from '@flashsheet/contracts/admin/limits'
import { connect, type DbClient } from '@flashsheet/db/client'
import { migrateUp } from '@flashsheet/db/migrate'
import { startEmbeddedPostgres } from '@flashsheet/db/embedded'
import { sql } from 'drizzle-orm'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { readConfig } from '../api/core/config.ts'
import { everyoneScope } from '../api/core/scope.ts'
import { compactTallies } from '../api/features/admin/queries/tallies.ts'
import { compactionCutoffs } from '../api/features/admin/rules/figures.ts'
import { createArtist, type Artist } from '../api/testing/actors.ts'
import { freePorts } from '../api/testing/ports.ts'
import { startProcess } from '../api/testing/processes.ts'
import { quantile } from './with-product.ts'

const sizes = { small: 1000, large: 100_000 } as const
/** How often each address is requested, and the minimum of requests of each list. */
const roundsPerAddress = 20
const minRounds = 200
const auditEntries = 5000
/** Postgres switches to a generic plan after five executions on a connection; the pool has ten connections. */
const warmUpPerAddress = 6

/** The limits of the 95th percentile with 100,000 users: against that with 1,000 users, and absolute. */
const aims = { ratio: 1.5, ms: 200 }

/** `mayGrow`: may exceed `aims.ratio`, for the reason in docs/benchmarks.md, "admin". */
type ListRequest = { name: string; mayGrow?: true; paths: (facts: Facts) => string[] }
/** Values that exist, to search for. */
type Facts = { users: number; ids: string[]; names: string[]; emails: string[]; customers: string[] }

const api = '/api/admin'
const trpc = (name: string, input: unknown = {}) =>
  `/trpc/admin.${name}?input=${encodeURIComponent(JSON.stringify(input))}`
const byNameOf = (pages: readonly number[]) =>
  ['name', 'email'].flatMap((sortBy) => pages.map((page) => `${api}/users?sortBy=${sortBy}&sortOrder=asc&page=${page}`))
const pagesOf = (rows: number) => [1, 2, 3, Math.ceil(rows / 20), Math.ceil(rows / 10)]

const requests: ListRequest[] = [
  { name: 'dashboard: figures', paths: () => [`${api}/subscriptions/analytics`] },
  { name: 'dashboard: twelve months', paths: () => [trpc('growth')] },
  { name: 'dashboard: newest artists', paths: () => [`${api}/users?limit=5`] },
  { name: 'orders: head', paths: () => [`${api}/subscriptions/stats`] },
  { name: 'artists: pages', paths: ({ users }) => pagesOf(users).map((page) => `${api}/users?page=${page}`) },
  { name: 'artists: by name and address', paths: ({ users }) => byNameOf([1, 2, 3, users / 10]) },
  { name: 'artists: by name, the page in the middle', mayGrow: true, paths: ({ users }) => byNameOf([users / 20]) },
  {
    name: 'artists: search',
    paths: ({ names, emails }) =>
      [...names, ...emails, 'anna', 'nobody at all'].map((word) => `${api}/users?search=${encodeURIComponent(word)}`),
  },
  { name: 'artist', paths: ({ ids }) => ids.map((id) => `${api}/users/${id}`) },
  {
    name: 'orders: pages',
    paths: ({ users }) => pagesOf(users * 10).map((page) => `${api}/subscriptions/history?page=${page}`),
  },
  {
    name: 'orders: filters',
    paths: () =>
      [
        'plan=complete-shading',
        'status=past_due',
        'action=payment_failed',
        'action=renewed&plan=social-line-work',
        'action=unpaid&status=unpaid',
      ].flatMap((filter) => [1, 5].map((page) => `${api}/subscriptions/history?${filter}&page=${page}`)),
  },
  {
    name: 'orders: search',
    paths: ({ names, emails, customers }) =>
      [...names, ...emails, ...customers, 'anna', 'nobody at all'].map(
        (word) => `${api}/subscriptions/history?search=${encodeURIComponent(word)}`,
      ),
  },
  ...staffListNames.map((list) => ({
    name: list,
    paths: ({ emails }: Facts) => [
      trpc('list', { list }),
      trpc('list', { list, page: 3 }),
      ...emails.slice(0, 2).map((search) => trpc('list', { list, search })),
    ],
  })),
  {
    name: 'lists across artists: one state',
    paths: () => staffListNames.flatMap((list) => staffLists[list].map((status) => trpc('list', { list, status }))),
  },
  {
    name: 'lists across artists: a word of thousands',
    mayGrow: true,
    paths: () =>
      staffListNames.flatMap((list) => [
        trpc('list', { list, search: 'anna' }),
        trpc('list', { list, search: 'anna', status: staffLists[list][0] }),
      ]),
  },
  { name: 'settings: health', paths: () => [trpc('health')] },
  { name: 'settings: audit log', paths: () => [trpc('audit')] },
  {
    name: 'settings: audit log, the first entries',
    paths: ({ users }) => [trpc('audit', { page: Math.min(users, auditEntries) / 10 })],
  },
]

/**
 * Requests every staff list and the dashboard of an installation with 1,000 users and of one with 100,000 (ten orders per
 * user), over HTTP with a session. Prints the median and the 95th percentile of both, their ratios, and whether each meets
 * its aim. `BENCH_ONLY` selects lists by a pattern. Warns when other load on the machine distorts the percentiles.
 */
export async function run(): Promise<void> {
  const folder = path.resolve('.data', `bench-${process.pid}`)
  const undo: (() => Promise<unknown>)[] = [async () => fs.rmSync(folder, { recursive: true, force: true })]
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: path.join(folder, 'postgres') })
    undo.push(postgres.stop)
    const small = await open(await createDatabase(postgres.url, 'small'), sizes.small, path.join(folder, 'small'), undo)
    const large = await open(await createDatabase(postgres.url, 'large'), sizes.large, path.join(folder, 'large'), undo)
    const waiting = os.loadavg()[0] ?? 0
    if (waiting > os.availableParallelism())
      console.log(`Something else is busy here (load ${waiting.toFixed(1)} on ${os.availableParallelism()} cores).`)
    console.log('')
    console.log('requests in turn, ms                                1,000 users       100,000 users        ratio')
    console.log(
      '                                                median      95 %    median      95 % median   95 %   aim (95 %)',
    )
    const selected = new RegExp(process.env['BENCH_ONLY'] ?? '')
    for (const { name, mayGrow, paths } of requests.filter((one) => selected.test(one.name))) {
      const times = await compare([small, large], paths)
      const [few, many] = times.map((list) => [quantile(list, 0.5), quantile(list, 0.95)] as const)
      if (!few || !many) continue
      const cells = [few[0], few[1], many[0], many[1]].map((ms) => ms.toFixed(1).padStart(9)).join(' ')
      const [median, slow] = [many[0] / few[0], many[1] / few[1]]
      const holds = many[1] < aims.ms && (mayGrow === true || slow <= aims.ratio)
      const aim = `${mayGrow ? '' : `at most ${aims.ratio} times, `}under ${aims.ms} ms`
      console.log(
        `${name.padEnd(44)} ${cells}  ${median.toFixed(2).padStart(6)} ${slow.toFixed(2).padStart(6)}   ${holds ? 'holds' : 'missed'}: ${aim}`,
      )
    }
  } finally {
    for (const step of undo.reverse()) await step()
  }
}

async function createDatabase(adminUrl: string, name: string): Promise<string> {
  const admin = connect(adminUrl, 1)
  await admin.sql.unsafe(`create database ${name}`)
  await admin.close()
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  await migrateUp(url.toString())
  return url.toString()
}

type Installation = { admin: Artist; facts: Facts }

/** An installation with this many users, and a session of staff. */
async function open(
  databaseUrl: string,
  users: number,
  dataDir: string,
  undo: (() => Promise<unknown>)[],
): Promise<Installation> {
  const client = connect(databaseUrl, 1)
  undo.push(client.close)
  const startedAt = performance.now()
  await fill(client, users)
  console.log(
    `${users.toLocaleString('en-US')} users and ${(users * 10).toLocaleString('en-US')} orders made in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`,
  )
  const [port = 0, sandboxPort = 0] = await freePorts(2)
  const env = {
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    SANDBOX_PORT: String(sandboxPort),
    LOG_LEVEL: 'error',
  }
  const product = await startProcess(env)
  undo.push(async () => await product.end('SIGTERM'))
  const where = {
    client,
    url: `http://localhost:${port}`,
    clock: { now: () => new Date() },
    running: { config: readConfig(env) },
  }
  return { admin: await createArtist(where, { admin: true, plan: null }), facts: await factsOf(client, users) }
}

/** Existing values from the middle of the data. */
async function factsOf({ db }: DbClient, users: number): Promise<Facts> {
  const rows = await db.execute<{ id: string; name: string; email: string; customer: string }>(
    sql`select id, name, email, stripe_customer_id as customer from users where stripe_customer_id is not null order by email limit 3 offset ${Math.floor(users / 3)}`,
  )
  return {
    users,
    ids: rows.map((row) => row.id),
    names: rows.map((row) => row.name),
    emails: rows.map((row) => row.email),
    customers: rows.map((row) => row.customer),
  }
}

/**
 * Requests from the installations alternately, starting with another one each time, so that other load affects both.
 * Returns the milliseconds of each request.
 */
async function compare(installations: readonly Installation[], paths: ListRequest['paths']): Promise<number[][]> {
  const times: number[][] = installations.map(() => [])
  const all = installations.map((installation) => ({ installation, paths: paths(installation.facts) }))
  const addresses = all[0]?.paths.length ?? 0
  const warmUp = addresses * warmUpPerAddress
  const rounds = Math.max(addresses * roundsPerAddress, minRounds)
  for (let n = 0; n < warmUp + rounds; n++) {
    for (let turn = 0; turn < all.length; turn++) {
      const at = (Math.floor(n / addresses) + turn) % all.length
      const { installation, paths: asking } = all[at]!
      const address = asking[n % asking.length] ?? ''
      const from = performance.now()
      const response = await installation.admin.fetch(address)
      await response.arrayBuffer()
      if (response.status !== 200) throw new Error(`${address} answered ${response.status}`)
      if (n >= warmUp) times[at]?.push(performance.now() - from)
    }
  }
  return times
}

/** Two years of artists, each with ten orders, and the rows of the other lists, generated inside the database. */
export async function fill({ db }: DbClient, users: number): Promise<void> {
  const person = sql`(array['Anna','Ben','Chloe','Dario','Elif','Finn','Greta','Hugo','Ines','Jonas','Kira','Luca','Mara','Noor','Ola','Pia','Quinn','Rosa','Sven','Tilda'])[1 + n % 20]
    || ' ' || (array['Ash','Birk','Cole','Dahl','Eaton','Frost','Gray','Hale','Ivers','Jude','Kent','Lund','Moss','Nash','Orr','Pike','Quill','Reed','Stone','Tate'])[1 + (n / 20) % 20] || chr(97 + (n / 400) % 26) || chr(97 + (n / 10400) % 26)`
  const steps = [
    sql`insert into users (id, name, email, email_verified_at, time_zone, stripe_customer_id, created_at, updated_at, is_active)
      select gen_random_uuid(), ${person}, 'artist' || n || '@studio' || n % 97 || '.example', now(), 'America/New_York', 'cus_' || md5(n::text), now() - (n * interval '730 days' / ${users}), now(), n % 50 <> 0
      from generate_series(1, ${users}) n`,
    sql`insert into subscriptions (id, user_id, stripe_subscription_id, stripe_customer_id, plan, status, current_period_start, current_period_end, cancel_at_period_end, mrr, created_at, updated_at)
      select gen_random_uuid(), id, 'sub_' || substr(stripe_customer_id, 5), stripe_customer_id, plan, status, now(), now() + interval '20 days', false, case when status in ('active', 'past_due') then case plan when 'complete-shading' then 4900 else 1900 end else 0 end, created_at, now()
      from (select *, case when abs(hashtext(email)) % 3 = 0 then 'complete-shading' else 'social-line-work' end as plan,
        (array['active','active','active','active','active','active','past_due','canceled','canceled','unpaid'])[1 + abs(hashtext(email || 's')) % 10] as status from users where stripe_customer_id is not null) u`,
    sql`insert into mrr_movements (id, user_id, stripe_subscription_id, kind, from_plan, to_plan, delta, at)
      select gen_random_uuid(), user_id, stripe_subscription_id, 'new', null, plan, case plan when 'complete-shading' then 4900 else 1900 end, created_at from subscriptions
      union all
      select gen_random_uuid(), user_id, stripe_subscription_id, 'churn', plan, null, -case plan when 'complete-shading' then 4900 else 1900 end, created_at + (now() - created_at) * random() from subscriptions where mrr = 0`,
    sql`insert into subscription_orders (id, user_id, stripe_object_id, stripe_customer_id, plan, action, status, amount, created_at)
      select gen_random_uuid(), s.user_id, 'in_' || substr(s.stripe_customer_id, 5) || n, s.stripe_customer_id, s.plan, k.action,
        case k.action when 'payment_failed' then 'past_due' when 'past_due' then 'past_due' when 'unpaid' then 'unpaid' when 'canceled' then 'canceled' else 'active' end,
        case when k.action in ('created', 'renewed', 'payment_succeeded') then case s.plan when 'complete-shading' then 4900 else 1900 end else 0 end, s.created_at + (now() - s.created_at) * n / 10.0
      from subscriptions s cross join generate_series(0, 9) n
      cross join lateral (select case when n = 0 then 'created' else (array['renewed','renewed','renewed','renewed','renewed','renewed','payment_succeeded','updated','payment_failed','past_due','unpaid','canceled'])[1 + abs(hashtext(s.stripe_customer_id || n)) % 12] end as action) k`,
    sql`insert into social_accounts (id, user_id, platform, provider_user_id, provider_name, access_token, refreshed_at, health, connected_at)
      select gen_random_uuid(), id, 'instagram', id::text, name, 'x', now(), case when abs(hashtext(email)) % 40 = 0 then 'reconnect' else 'ok' end, created_at from users`,
    sql`insert into posts (id, user_id, status, scheduled_at, time_zone, request_id, request_hash, created_at, updated_at)
      select gen_random_uuid(), id, (array['posted','posted','posted','posted','scheduled','failed'])[1 + abs(hashtext(email || n)) % 6], created_at + n * interval '1 day', 'UTC', n::text, 'x', created_at, now() from users cross join generate_series(1, 2) n`,
    sql`insert into post_targets (id, post_id, user_id, platform, page_id, page_name, title, message, options, phase, due_at, checkpoint, posted_at, created_at, updated_at)
      select gen_random_uuid(), id, user_id, 'instagram', '1', 'Page', '', 'A swallow', '{}', status, now() + interval '9 days', '{}', case status when 'posted' then scheduled_at end, created_at, scheduled_at from posts`,
    sql`insert into media_items (id, user_id, kind, mime_type, file_name, bytes, width, height, original_key, thumbnail_key, created_at)
      select gen_random_uuid(), id, 'image', 'image/jpeg', 'flash-' || n || '.jpg', 2000000, 1440, 1440, 'x', 'x', created_at + n * interval '1 hour' from users cross join generate_series(1, 2) n`,
    sql`insert into sites (user_id, domain_name, published, name, shop_name, about, email, phone, shop_address, city, state, zip, background_color, text_color, button_color, hover_color, created_at, updated_at)
      select id, 'site-' || substr(md5(email), 1, 20), abs(hashtext(email)) % 5 <> 0, name, '', '', '', '212-555-0100', '', 'Albany', 'NY', '', '#000000', '#ffffff', '#ff0000', '#8b0000', created_at, created_at from users where abs(hashtext(email)) % 4 = 0`,
    sql`insert into appointments (id, user_id, domain_name, booking_type, time_slot, status, starts_at, ends_at, free_at, time_zone, client_name, email, phone, notes, made_by, created_at, updated_at)
      select gen_random_uuid(), id, 'x', '1 Hour Booking', '9:00am-10:00am', (array['pending','confirmed','completed','completed'])[1 + abs(hashtext(email)) % 4], created_at, created_at + interval '1 hour', created_at + interval '1 hour', 'UTC', 'Clara Reyes', 'clara@mail.example', '', '', 'client', created_at, now() from users`,
    sql`insert into audit_entries (id, at, actor_id, action, subject_id, fields) select gen_random_uuid(), created_at, id, 'user_updated', id, '["name"]' from users limit ${auditEntries}`,
  ]
  for (const step of steps) await db.execute(step)
  // A job runs this every ten minutes, and autovacuum runs at times. Run here, neither disturbs the measurement.
  await compactTallies(db, everyoneScope(), compactionCutoffs(new Date()).toCompact)
  await db.execute(sql`vacuum analyze`)
  await db.execute(sql`checkpoint`)
}
