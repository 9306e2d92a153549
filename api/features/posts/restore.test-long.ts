import { connect as connectTo, type DbClient } from '@flashsheet/db/client'
import { picture } from '@flashsheet/sandbox/fixtures/videos'
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createVisitor } from '../../testing/actors.ts'
import { postsAtNetworks, variantsFor, followRedirects, type Account } from '../../testing/journey.ts'
import { startOutageFixture, type OutageFixture } from '../../testing/outage.ts'
import { eventually } from '../../testing/sandbox.ts'
import { sendForm } from '../../testing/uploads.ts'

const posts = 5
const networks = ['facebook', 'instagram', 'linkedin'] as const
const targets = posts * networks.length
/** Long enough for a backup on a busy machine. */
const aheadMs = 40_000

/** Runs `pnpm restored` with the product's settings. */
function runRestored(env: Record<string, string>): string {
  const at = (file: string) => fileURLToPath(new URL(`../../../${file}`, import.meta.url))
  const { PATH = '' } = process.env
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', at('db/drizzle-resolve-hook.ts'), at('scripts/restored.ts')],
    { env: { PATH, ...env }, encoding: 'utf8', timeout: 60_000 },
  )
  if (status !== 0) throw new Error(`pnpm restored ended with ${status}: ${stderr}`)
  return stdout
}

describe.each([
  { what: 'a backup that is restored while everything is down', staysUp: false },
  { what: 'a replica that lagged and takes over while everything runs', staysUp: true },
])('$what', ({ staysUp }) => {
  let fixture: OutageFixture
  let client: DbClient
  let mediaIds: string[]
  const texts = Array.from({ length: posts }, (_, n) => `Healed piece ${n} ${randomUUID()}`)
  beforeAll(async () => {
    fixture = await startOutageFixture()
    for (const network of networks)
      if (network !== 'linkedin') await followRedirects(fixture.artist, fixture, `/api/social-connect/${network}`)
    const sent = await sendForm(fixture.artist, [
      { name: 'healed.jpg', type: 'image/jpeg', bytes: await picture(800, 1000, 3) },
    ])
    mediaIds = (sent.body as { _id: string }[]).map(({ _id }) => _id)
    client = connectTo(fixture.postgres.url, 1)
  }, 180_000)
  afterAll(async () => {
    await client?.close()
    await fixture?.stop()
  }, 60_000)

  const variants = async (message: string) => {
    const accounts = (await fixture.artist.get<Account[]>('/api/social-accounts')).body
    expect(accounts.map(({ platform }) => platform).toSorted()).toEqual([...networks])
    return variantsFor(
      accounts.map((account) => ({ ...account, pages: account.pages.slice(0, 1) })),
      { message },
    )
  }
  /** How many posts with this text the networks have in total. */
  const shown = async (message: string) => {
    const found = await postsAtNetworks(fixture, message)
    return found.length
  }
  const allShown = async () => await Promise.all(texts.map(shown))
  const phases = async () =>
    Object.fromEntries(
      (
        await client.sql<
          { phase: string; count: number }[]
        >`select phase, count(*)::int as count from post_targets where message like 'Healed piece%' group by phase`
      ).map(({ phase, count }) => [phase, count]),
    )
  const publishNow = async (message: string) => {
    expect(
      (
        await fixture.artist.post('/api/posts', {
          mediaIds,
          variants: await variants(message),
          requestId: randomUUID(),
        })
      ).status,
    ).toBe(202)
    await eventually(`"${message}" to be out`, async () => (await shown(message)) === networks.length, 60_000)
  }
  /** Makes waiting targets due, as if their waits had passed; the product's own sweep then finds them. */
  const makeDue = async () =>
    void (await client.sql`update post_targets set due_at = now() - interval '1 minute', last_publish_ended_at = last_publish_ended_at - interval '40 minutes',
      silent_since = silent_since - interval '40 minutes' where lease_token is null and phase not in ('posted', 'failed') and due_at > now() + interval '3 seconds'`)

  test(
    'publishes nothing twice: it stops and says why; after `pnpm restored` it confirms first, asks the artist where that is inconclusive, and continues',
    { timeout: 420_000 },
    async () => {
      await publishNow(`Before the backup ${randomUUID()}`)
      const scheduledAt = new Date(Date.now() + aheadMs).toISOString()
      for (const text of texts)
        expect(
          (await fixture.artist.post('/api/posts/schedule', { mediaIds, variants: await variants(text), scheduledAt }))
            .status,
        ).toBe(201)
      await fixture.postgres.backUp()
      expect(
        await eventually('the database to answer', async () => await phases().catch(() => undefined), 30_000),
      ).toEqual({ scheduled: targets })
      await eventually(
        'everything to be out',
        async () => (await allShown()).every((count) => count === networks.length),
        180_000,
      )
      await eventually('the database to know', async () => (await phases())['posted'] === targets, 60_000)

      if (!staysUp) await fixture.endProduct()
      await fixture.postgres.restore()
      if (!staysUp) await fixture.startProduct()
      // A worker may have claimed one by now, but does not continue.
      expect(
        await eventually('the database to answer', async () => await phases().catch(() => undefined), 30_000),
      ).not.toHaveProperty('posted')

      // All artists see the reason.
      const reason = 'Publishing has stopped: this database is older than what was published from it'
      const ready = async () => (await (await fetch(new URL('/readyz', fixture.url))).json()) as { publishing?: string }
      expect(
        await eventually(
          'publishing to stop',
          async () => (await ready().catch(() => ({ publishing: undefined }))).publishing,
          60_000,
        ),
      ).toContain(reason)
      await eventually('the worker to log it', async () => fixture.worker.output().includes(reason), 60_000)
      await client.sql`update users set is_admin = true`
      const staff = createVisitor(fixture.url)
      expect(
        (await staff.post('/api/users/auth', { email: 'outage@studio.example', password: 'a good long password' }))
          .status,
      ).toBe(200)
      expect((await staff.trpc.admin.health.query()).publishingStopped).toBe(true)
      expect((await phases())['posted']).toBeUndefined()

      expect(runRestored({ ...fixture.env, ROLE: 'all' })).toContain(
        `Publishing continues. ${targets} due targets are first checked`,
      )
      await eventually(
        'each post to have an outcome',
        async () => {
          await makeDue()
          const now = await phases()
          return (now['posted'] ?? 0) + (now['failed'] ?? 0) === targets
        },
        240_000,
      )
      const outcomes = await client.sql<{ platform: string; phase: string; unclear: boolean }[]>`
      select distinct platform, phase, unclear from post_targets where message like 'Healed piece%' order by platform`
      // These two find a post only by its ids, which the backup does not have.
      expect(outcomes.map((row) => ({ ...row }))).toEqual([
        { platform: 'facebook', phase: 'failed', unclear: true },
        { platform: 'instagram', phase: 'posted', unclear: false },
        { platform: 'linkedin', phase: 'failed', unclear: true },
      ])
      const [notifications] = await client.sql<
        { count: number }[]
      >`select count(*)::int as count from notices where kind = 'post_failed'`
      expect(notifications?.count).toBe(posts)

      // Later posts are published as usual, and each earlier one exists once.
      await publishNow(`After the restore ${randomUUID()}`)
      expect(await allShown()).toEqual(texts.map(() => networks.length))
      expect(await ready()).not.toHaveProperty('publishing')
    },
  )
})
