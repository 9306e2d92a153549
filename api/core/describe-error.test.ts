import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import { sql } from 'drizzle-orm'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createArtist, type Artist } from '../testing/actors.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { openStudio, request, type Studio } from '../testing/booking.ts'
import { connect } from '../testing/connect.ts'
import { uploadPictures, variantsOf } from '../testing/posting.ts'
import { eventually } from '../testing/sandbox.ts'
import { describeError, errorLine } from './describe-error.ts'
import { createLogger } from './log.ts'

let app: TestApp
let artist: Artist
let studio: Studio
let account: SocialAccount
let mediaIds: string[]
let logged = ''
beforeAll(async () => {
  const to = new Writable({
    write(chunk, _encoding, done) {
      logged += String(chunk)
      done()
    },
  })
  app = await startTestApp({ log: createLogger('trace', to) })
  artist = await createArtist(app)
  studio = await openStudio(app)
  account = await connect(app, artist, 'facebook')
  mediaIds = await uploadPictures(artist)
})
afterAll(async () => await app?.stop())

/** Private input. Each of these is written by one of the actions below. */
const typed = {
  password: 'correct-horse-battery-9131',
  name: 'Wilhelmina Quillfeather',
  message: 'my-private-question-5577',
  notes: 'scar-on-the-left-wrist-2244',
  caption: 'unreleased-design-8899',
  phone: '+1 718 555 0199',
}
/** Traces of secrets of our own: hashes, sealed tokens, links and whole mails. */
const generated = [
  /\$argon2/,
  /"1\.[\w-]{16}\.[\w-]{20}/,
  /token=[\w-]{10}/,
  /<!doctype html>/i,
  /BEGIN:VCALENDAR/,
  /@secret\.example/,
]

const inAnHour = () => new Date(app.clock.now().getTime() + 3_600_000).toISOString()
let clients = 0
const address = (who: string) => `${who}-${(clients += 1)}@secret.example`

/** Each kind of write, by requests. None can succeed while a table that it needs is broken. */
const actions: Record<string, { tables: string[]; run: () => Promise<unknown> }> = {
  'a registration': {
    tables: ['users', 'link_requests', 'registrations'],
    run: async () =>
      await app.visitor().post('/api/users', { name: typed.name, email: address('new'), password: typed.password }),
  },
  'a log-in': {
    tables: ['sessions'],
    run: async () => await app.visitor().post('/api/users/auth', { email: artist.email, password: artist.password }),
  },
  'a changed profile': {
    tables: ['users'],
    run: async () =>
      await artist.put('/api/users/profile', {
        _id: artist.id,
        name: typed.name,
        email: address('changed'),
        password: typed.password,
        currentPassword: artist.password,
      }),
  },
  'a forgotten password': {
    tables: ['link_requests'],
    run: async () => await app.visitor().post('/api/users/forgot-password', { email: address('forgot') }),
  },
  'a message to us': {
    tables: ['mails'],
    run: async () =>
      await app
        .visitor()
        .trpc.notices.contact.mutate({ name: typed.name, email: address('asks'), message: typed.message }),
  },
  'a booking': {
    tables: ['appointments', 'appointment_links', 'mails', 'notices'],
    run: async () =>
      await app.visitor().post(
        '/api/appointments',
        request(studio, {
          notes: typed.notes,
          contact: { name: typed.name, email: address('client'), phone: typed.phone },
        }),
      ),
  },
  'a connected account': {
    tables: ['oauth_states', 'social_accounts', 'social_pages'],
    run: async () => await connect(app, artist, 'youtube'),
  },
  'a post': {
    tables: ['posts', 'post_targets'],
    run: async () =>
      await artist.post('/api/posts/schedule', {
        mediaIds,
        scheduledAt: inAnHour(),
        variants: variantsOf(account, { message: typed.caption }),
      }),
  },
  'a site': {
    tables: ['sites'],
    run: async () =>
      await studio.post('/api/websitebuilder', {
        personalInfo: { name: typed.name, domainName: studio.domainName, email: address('site') },
      }),
  },
}

/** Ways in which a statement fails: Postgres repeats the row in the message or in the detail, or does not know the table. */
const faults: Record<string, { begin: (table: string) => string; end: (table: string) => string }> = {
  'a trigger that repeats the row': {
    begin: (table) => `create trigger harm before insert or update on ${table} for each row execute function harm()`,
    end: (table) => `drop trigger harm on ${table}`,
  },
  'a check that no row passes': {
    begin: (table) => `alter table ${table} add constraint harm check (false) not valid`,
    end: (table) => `alter table ${table} drop constraint harm`,
  },
  'a missing table': {
    begin: (table) => `alter table ${table} rename to ${table}_gone`,
    end: (table) => `alter table ${table}_gone rename to ${table}`,
  },
}

const queueRows = async () =>
  JSON.stringify([...(await app.client.db.execute(sql`select name, state, data, output from pgboss.job`))])

function expectNoSecrets(where: string, text: string): void {
  for (const [what, words] of Object.entries(typed)) expect(text.includes(words), `the ${what} in ${where}`).toBe(false)
  for (const pattern of generated)
    expect(pattern.exec(text.replaceAll('\\"', '"'))?.[0], `${String(pattern)} in ${where}`).toBeUndefined()
}

test('stores no values in the log or the queue, whatever write the database refuses', async () => {
  await app.client.db.execute(
    sql`create function harm() returns trigger language plpgsql as $$ begin raise exception 'refused: %', to_jsonb(new); end $$`,
  )
  const present = new Set(
    [...(await app.client.db.execute(sql`select tablename from pg_tables where schemaname = 'public'`))].map((row) =>
      String(row['tablename']),
    ),
  )
  for (const [how, fault] of Object.entries(faults)) {
    for (const table of new Set(Object.values(actions).flatMap(({ tables }) => tables))) {
      if (!present.has(table)) continue
      const before = logged.length
      await app.client.sql.unsafe(fault.begin(table))
      const affected = Object.values(actions).filter(({ tables }) => tables.includes(table))
      // All are refused: tRPC throws, and REST answers an error status.
      await Promise.all(affected.map(async ({ run }) => await run().catch(() => undefined)))
      // Some write in a job, which fails later.
      await eventually(
        `${table} to be missed because of ${how}`,
        async () => await Promise.resolve(/"level":50.*DrizzleQueryError/.test(logged.slice(before))),
      )
      await app.client.sql.unsafe(fault.end(table))
      expectNoSecrets(`the log after ${how} on ${table}`, logged.slice(before))
    }
  }
  expectNoSecrets('the queue', await queueRows())
})

test('stores the place of a failed statement in the queue, and nothing of the mail it would have written', async () => {
  const email = address('reset')
  await app.client.sql`update users set email = ${email} where id = ${artist.id}`
  const before = logged.length
  await app.client.sql.unsafe(faults['a trigger that repeats the row']?.begin('mails') ?? '')
  await app.visitor().post('/api/users/forgot-password', { email })
  const output = await eventually('the job to fail', async () => {
    const [row] = await app.client.db.execute(
      sql`select output from pgboss.job where name = 'auth.link' and output is not null and state = 'retry' order by created_on desc limit 1`,
    )
    return row && JSON.stringify(row['output'])
  })
  await app.client.sql.unsafe(faults['a trigger that repeats the row']?.end('mails') ?? '')
  expect(output).toContain('insert into \\"mails\\"')
  expect(output).toContain('P0001')
  expect(output).toContain('links.ts')
  expectNoSecrets('the queue', await queueRows())
  expectNoSecrets('the log', logged.slice(before))
})

test('keeps the code of a mail server, but not the words that were exchanged', () => {
  const failure = Object.assign(new Error('Invalid login: 535 refused'), {
    code: 'EAUTH',
    responseCode: 535,
    response: '535 your-secret',
    command: 'AUTH PLAIN c2VjcmV0',
  })
  const record = JSON.stringify(describeError(failure))
  expect(record).toContain('EAUTH')
  expect(record).not.toContain('your-secret')
  expect(record).not.toContain('c2VjcmV0')
})

test('keeps the type, the place and the causes of an error without their values', async () => {
  const query = app.client.db.execute(
    sql`insert into users (id, name) values (${'0198c0de-0000-7000-8000-000000000001'}, ${'hidden-name'})`,
  )
  const error: unknown = await query.then(
    () => undefined,
    (thrown: unknown) => new Error('registering failed', { cause: thrown }),
  )
  const record = describeError(error)
  expect(record).toMatchObject({
    type: 'Error',
    message: 'registering failed',
    cause: { type: 'DrizzleQueryError', cause: { code: '23502', table_name: 'users', column_name: 'email' } },
  })
  expect(record.stack).toContain('describe-error.test.ts')
  expect(record.cause?.query).toContain('values ($1, $2)')
  expect(JSON.stringify(record)).not.toContain('hidden-name')
  expect(errorLine(error)).toMatch(/^registering failed: a statement failed .*: null value in column "email"/)
  expect(describeError('a string')).toEqual({ type: 'string', message: 'a string' })
  expect(describeError({ password: 'x' }).message).not.toContain('x:')
})
