import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import { posts, postTargets } from '@flashsheet/db/schema/posts'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { System } from '../../../core/context.ts'
import { newId } from '../../../core/ids.ts'
import { ownerScope } from '../../../core/scope.ts'
import { createArtist, type Artist } from '../../../testing/actors.ts'
import { connect } from '../../../testing/connect.ts'
import { connectFailing } from '../../../testing/failing-database.ts'
import { lockWaits } from '../../../testing/lock-waits.ts'
import { eventually } from '../../../testing/sandbox.ts'
import { tokensFixture } from '../../../testing/tokens.ts'
import { checkTokens, markReconnect, refreshRejectedTokens } from './tokens.ts'

const day = 24 * 3_600_000

const fixture = tokensFixture()
const { row, unsealed, refreshes } = fixture
const owner = (artist: Artist) => ownerScope(artist.id)

describe('a database that fails during the refresh of a rotating token', () => {
  /** A scheduled post that waits for this account, so that restoring the account updates its row. */
  async function waiting(artist: Artist, account: SocialAccount): Promise<string> {
    const at = fixture.app.clock.now()
    const [postId, targetId, times] = [newId(), newId(), { createdAt: at, updatedAt: at }]
    await fixture.app.client.db.insert(posts).values({
      id: postId,
      userId: artist.id,
      status: 'scheduled',
      scheduledAt: at,
      timeZone: 'UTC',
      requestId: postId,
      requestHash: '',
      ...times,
    })
    const place = {
      postId,
      userId: artist.id,
      accountId: account._id,
      platform: 'tiktok' as const,
      pageId: account.pages[0]!.pageId,
      pageName: 'Ink',
    }
    const words = { title: '', message: 'Healed', options: {}, checkpoint: {} }
    await fixture.app.client.db.insert(postTargets).values({
      id: targetId,
      ...place,
      ...words,
      ...times,
      phase: 'scheduled',
      awaitsAccount: true,
      dueAt: new Date(at.getTime() + day),
    })
    return targetId
  }

  test('by a deadlock: the network is called once, and the new tokens are stored', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'tiktok')
    await markReconnect(fixture.system, owner(artist), account._id)
    const targetId = await waiting(artist, account)
    const since = new Date().toISOString()
    const settings = fixture.app.client.sql
    const refreshing = await settings.begin(async (sql) => {
      // Only the other transaction looks for deadlocks, so it is the one that is aborted.
      await sql`set local deadlock_timeout = '20s'`
      await sql`select 1 from post_targets where id = ${targetId} for update`
      const answer = artist.put(`/api/social-accounts/${account._id}/token`)
      await eventually('TikTok to have been asked', async () => (await refreshes('tiktok', since)) === 1)
      await eventually(
        'the other to wait for the target',
        async () => (await lockWaits(fixture.app.client, 'post_targets')) > 0,
      )
      await sql`select 1 from social_accounts where id = ${account._id} for update`
      return { answer }
    })
    expect(await refreshing.answer).toMatchObject({ status: 200, body: { health: 'ok' } })
    expect(await refreshes('tiktok', since)).toBe(1)
    // The network accepts the stored tokens next.
    expect(await artist.put(`/api/social-accounts/${account._id}/token`)).toMatchObject({
      status: 200,
      body: { health: 'ok' },
    })
  })

  test('by a lost answer to the commit: the account is restored nevertheless', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'tiktok')
    await markReconnect(fixture.system, owner(artist), account._id)
    let transactions = 0
    const client = connectFailing(fixture.app.running.databaseUrl, (statement) =>
      statement === 'begin' && ++transactions === 1 ? 'after' : undefined,
    )
    onTestFinished(async () => await client.close())
    const before = await row(account)
    await checkTokens({ ...fixture.system, client, db: client.db }, owner(artist), account._id)
    expect(unsealed(await row(account), 'refreshToken')).not.toBe(unsealed(before, 'refreshToken'))
    expect((await row(account)).health).toBe('ok')
  })

  test('in a hook after the refresh: the new tokens are stored nevertheless', async () => {
    const artist = await createArtist(fixture.app)
    const account = await connect(fixture.app, artist, 'tiktok')
    await markReconnect(fixture.system, owner(artist), account._id)
    const before = await row(account)
    const failing: System = {
      ...fixture.system,
      hooks: { ...fixture.system.hooks, run: async () => await Promise.reject(new Error('no')) },
    }
    await expect(
      refreshRejectedTokens(failing, owner(artist), account._id, {
        accessToken: unsealed(before, 'accessToken') ?? '',
      }),
    ).rejects.toThrow('no')
    expect(unsealed(await row(account), 'refreshToken')).not.toBe(unsealed(before, 'refreshToken'))
    expect(await artist.put(`/api/social-accounts/${account._id}/token`)).toMatchObject({
      status: 200,
      body: { health: 'ok' },
    })
  })
})
