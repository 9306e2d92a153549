import { postTargets } from '@flashsheet/db/schema/posts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newId } from '../../../core/ids.ts'
import { ownerScope } from '../../../core/scope.ts'
import { createArtist } from '../../../testing/actors.ts'
import { insertTargets, publishingFixture } from '../../../testing/publishing.ts'
import { insertPages } from '../../../testing/records.ts'
import { releaseAwaiting } from './targets.ts'

const fixture = publishingFixture({ role: 'web' })

test('a reconnected account releases the targets that wait for it, and none of other accounts or that a worker has', async () => {
  const { client, clock } = fixture.app
  const artist = await createArtist(fixture.app)
  const [account, other] = [
    await insertPages(fixture.app, artist, ['1']),
    await insertPages(fixture.app, artist, ['2']),
  ]
  const now = clock.now()
  const insert = async (columns: Partial<typeof postTargets.$inferInsert>) => {
    const dueAt = new Date(now.getTime() + 3_600_000)
    const defaults = { accountId: account._id, awaitsAccount: true, errorMessage: 'Please connect it again.' }
    const [target] = await insertTargets(client, artist.id, dueAt, { ...defaults, ...columns })
    return target?.targetId ?? ''
  }
  const waiting = await insert({})
  const others = [
    await insert({ accountId: other._id }),
    await insert({ leaseToken: newId() }),
    await insert({ awaitsAccount: false, errorMessage: null }),
    await insert({ phase: 'failed' }),
  ]
  const released = await client.db.transaction(
    async (tx) => await releaseAwaiting(tx, ownerScope(artist.id), account._id, now),
  )
  expect(released.map(({ id }) => id)).toEqual([waiting])
  const rows = await client.db.select().from(postTargets).where(eq(postTargets.userId, artist.id))
  const byId = new Map(rows.map((row) => [row.id, row]))
  expect(byId.get(waiting)).toMatchObject({ awaitsAccount: false, errorMessage: null, dueAt: now })
  for (const id of others) expect(byId.get(id)?.dueAt).not.toEqual(now)
})
