import { postMessages } from '@flashsheet/contracts/posts/messages'
import { postTargets } from '@flashsheet/db/schema/posts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createArtist } from '../../testing/actors.ts'
import { insertTargets, publishingFixture } from '../../testing/publishing.ts'
import { endHeld } from './service/hold.ts'

const fixture = publishingFixture({ role: 'web' })

/** Ends the wait of a target of an artist without a subscription, and returns the target. */
async function endOne(dueInMs: number, columns: Partial<typeof postTargets.$inferInsert>) {
  const { client, clock } = fixture.app
  const artist = await createArtist(fixture.app, { plan: null })
  const [target] = await insertTargets(client, artist.id, new Date(clock.now().getTime() + dueInMs), columns)
  const id = target?.targetId ?? ''
  await endHeld(fixture.system, id)
  const [row] = await client.db.select().from(postTargets).where(eq(postTargets.id, id))
  return row
}

test.each([
  ['was moved to a later time meanwhile', 60_000, { held: true }, 'scheduled'],
  ['was released meanwhile', -1, { held: false }, 'scheduled'],
  ['has begun', -1, { held: true, phase: 'publishing' }, 'publishing'],
] as const)('a held target that %s does not fail', async (_what, dueInMs, columns, phase) => {
  expect(await endOne(dueInMs, columns)).toMatchObject({ phase, errorMessage: null, held: columns.held })
})

test('a held target fails at its time, with the reason', async () => {
  expect(await endOne(-1, { held: true })).toMatchObject({
    phase: 'failed',
    errorMessage: postMessages.subscriptionEnded,
    held: false,
  })
})
