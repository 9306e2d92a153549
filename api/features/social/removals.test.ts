import { socialMessages } from '@flashsheet/contracts/social/messages'
import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import { socialAccounts } from '@flashsheet/db/schema/social'
import { eq } from 'drizzle-orm'
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArtist, type Artist } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { connect } from '../../testing/connect.ts'
import { readPost, uploadPictures, variantsOf } from '../../testing/posting.ts'
import { control } from '../../testing/sandbox.ts'
import { recheckQueue } from './jobs.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => await app.stop())

const triggerCallback = async (platform: string, kind: string, userId: string) =>
  await control<{ status: number; body: unknown }>(app, 'POST', '/callbacks', { platform, kind, userId })
const accounts = async (artist: Artist) => (await artist.get<SocialAccount[]>('/api/social-accounts')).body
const notices = async (artist: Artist) =>
  (await artist.trpc.notices.list.query()).notices
    .filter((notice) => notice.kind === 'account_reconnect')
    .map((notice) => notice.title)
const healthOf = async (id: string) =>
  (
    await app.client.db.select({ health: socialAccounts.health }).from(socialAccounts).where(eq(socialAccounts.id, id))
  )[0]?.health

/** A signed request in Meta's format, with any secret. */
function signedBy(secret: string, userId: string, at = new Date()): string {
  const payload = Buffer.from(
    JSON.stringify({ user_id: userId, algorithm: 'HMAC-SHA256', issued_at: Math.floor(at.getTime() / 1000) }),
  ).toString('base64url')
  return `${createHmac('sha256', secret).update(payload).digest('base64url')}.${payload}`
}
async function send(path: 'deauthorize' | 'data-deletion', signed: string, multipart = false) {
  const form = new FormData()
  form.append('signed_request', signed)
  const body = multipart ? form : new URLSearchParams({ signed_request: signed })
  const response = await app.visitor().fetch(`/api/webhooks/meta/${path}`, { method: 'POST', body })
  return {
    status: response.status,
    body: (await response.json()) as { message?: string; url?: string; confirmation_code?: string },
  }
}
const facebookSecret = () => app.running.config.networks.facebook?.clientSecret ?? expect.fail('no facebook')

describe('a request that Meta did not sign', () => {
  test.each(['deauthorize', 'data-deletion'] as const)('is rejected by %s, without effect', async (path) => {
    const artist = await createArtist(app)
    const account = await connect(app, artist, 'facebook')
    const person = account.providerUserId
    for (const signed of [
      signedBy('guessed', person),
      `x.${signedBy(facebookSecret(), person).split('.')[1]}`,
      '',
      'nonsense',
    ]) {
      expect(await send(path, signed)).toMatchObject({ status: 400, body: { message: socialMessages.notSigned } })
    }
    const noForm = await app.visitor().fetch(`/api/webhooks/meta/${path}`, {
      method: 'POST',
      body: '{"signed_request":"x"}',
      headers: { 'content-type': 'application/json' },
    })
    expect(noForm.status).toBe(400)
    expect(await accounts(artist)).toHaveLength(1)
    expect(await healthOf(account._id)).toBe('ok')
    await artist.delete(`/api/social-accounts/${account._id}`)
    // The job revokes everything that this person has granted, so later tests must wait for it.
    await expect.poll(async () => await healthOf(account._id), { timeout: 20_000 }).toBeUndefined()
  })
})

describe('a person who removes the app', () => {
  test.each(['facebook', 'instagram', 'tiktok'] as const)(
    'at %s: the account needs to be reconnected, and its artist is notified once; after a reconnection an old request has no effect',
    async (platform) => {
      const [artist, other] = [await createArtist(app), await createArtist(app)]
      const account = await connect(app, artist, platform)
      const bystander = await connect(app, other, platform === 'facebook' ? 'linkedin' : 'facebook')
      const person = account.providerUserId
      await app.client.db
        .update(socialAccounts)
        .set({ refreshedAt: new Date(Date.now() - 60_000) })
        .where(eq(socialAccounts.id, account._id))
      await triggerCallback(platform, 'deauthorize', person)
      await expect.poll(async () => await healthOf(account._id)).toBe('reconnect')
      await triggerCallback(platform, 'deauthorize', person).catch(() => undefined)
      expect(await notices(artist)).toHaveLength(1)
      expect((await notices(artist))[0]).toMatch(/^Connect .* again \(.+\)$/)
      expect(await healthOf(bystander._id)).toBe('ok')
      expect(await notices(other)).toEqual([])

      if (platform === 'tiktok') return
      await connect(app, artist, platform)
      expect(await healthOf(account._id)).toBe('ok')
      const secret = app.running.config.networks[platform]?.clientSecret ?? ''
      const named = platform === 'instagram' ? '24900871155500001' : person
      expect(await send('deauthorize', signedBy(secret, named, new Date(Date.now() - 3_600_000)))).toMatchObject({
        status: 200,
      })
      expect(await healthOf(account._id)).toBe('ok')
    },
  )
})

test('a removal in the second of the connection: the network is asked which of them came last', async () => {
  const artist = await createArtist(app)
  const account = await connect(app, artist, 'facebook')
  const second = new Date('2026-11-27T10:00:00.000Z')
  await app.client.db
    .update(socialAccounts)
    .set({ refreshedAt: new Date(second.getTime() + 500) })
    .where(eq(socialAccounts.id, account._id))
  const removed = async (at: Date) => await send('deauthorize', signedBy(facebookSecret(), account.providerUserId, at))
  const rechecks = async () =>
    (
      await app.client.sql`select state from pgboss.job
        where name = ${recheckQueue.name} and data->>'userId' = ${artist.id}`
    ).map(({ state }) => String(state))
  await removed(new Date(second.getTime() - 1000))
  expect(await rechecks()).toEqual([])
  await removed(second)
  await expect.poll(rechecks).toEqual(['completed'])
  expect(await healthOf(account._id)).toBe('ok')
  await control(app, 'POST', '/faults', { service: 'facebook', method: '', path: '', times: 1, kind: 'expire-token' })
  await removed(second)
  await expect.poll(async () => await healthOf(account._id)).toBe('reconnect')
})

describe('a person who requests deletion', () => {
  test('of an account that its artist is disconnecting: the artist gets no notice', async () => {
    const artist = await createArtist(app)
    const account = await connect(app, artist, 'facebook', { as: '10226001845530122' })
    await app.client.db
      .update(socialAccounts)
      .set({ disconnectingAt: new Date() })
      .where(eq(socialAccounts.id, account._id))
    expect(await send('data-deletion', signedBy(facebookSecret(), account.providerUserId))).toMatchObject({
      status: 200,
    })
    expect(await notices(artist)).toEqual([])
    await app.client.db.delete(socialAccounts).where(eq(socialAccounts.id, account._id))
  })

  test('loses account, tokens and scheduled posts; gets a code, the same one twice, and a status page', async () => {
    const [artist, sameLogin, other] = [await createArtist(app), await createArtist(app), await createArtist(app)]
    const account = await connect(app, artist, 'facebook')
    await connect(app, sameLogin, 'facebook')
    await connect(app, artist, 'instagram')
    await connect(app, other, 'facebook', { as: '10226001845530122' })
    const mediaIds = await uploadPictures(artist, 1)
    const planned = await artist.trpc.posts.schedule.mutate({
      mediaIds,
      variants: variantsOf(account),
      scheduledAt: new Date(Date.now() + 3_600_000).toISOString(),
    })

    const signed = signedBy(facebookSecret(), account.providerUserId)
    const [first, second] = await Promise.all([send('data-deletion', signed), send('data-deletion', signed, true)])
    expect(first).toMatchObject({ status: 200, body: { confirmation_code: expect.stringMatching(/^[0-9a-z]{32}$/) } })
    const code = first.body.confirmation_code ?? ''
    expect(first.body.url).toBe(`${app.url}/data-deletion/${code}`)
    expect(second.body).toEqual(first.body)
    expect((await accounts(artist)).map((one) => one.platform)).toEqual(['instagram'])
    expect(await accounts(sameLogin)).toEqual([])
    expect(await accounts(other)).toHaveLength(1)
    await expect(readPost(artist, planned._id)).rejects.toThrow()
    expect(await notices(artist)).toEqual(['A Facebook account was disconnected'])

    const status = async () => await app.visitor().trpc.social.deletionStatus.query({ code })
    expect(await status()).toMatchObject({ code, network: 'Facebook' })
    await expect.poll(async () => (await status()).isDone, { timeout: 15_000 }).toBe(true)
    expect(
      await app.client.db
        .select({ id: socialAccounts.id })
        .from(socialAccounts)
        .where(eq(socialAccounts.userId, artist.id)),
    ).toHaveLength(1)
    await expect(app.visitor().trpc.social.deletionStatus.query({ code: 'made-up' })).rejects.toThrow(
      socialMessages.unknownDeletion,
    )
    // Reconnected later, the old request has no effect.
    await connect(app, artist, 'facebook')
    expect((await send('data-deletion', signed)).body).toEqual(first.body)
    expect(await accounts(artist)).toHaveLength(2)
  })

  test('gets an answer even if there is no data', async () => {
    const { status, body } = await send('data-deletion', signedBy(facebookSecret(), '999'))
    expect(status).toBe(200)
    expect(await app.visitor().trpc.social.deletionStatus.query({ code: body.confirmation_code ?? '' })).toMatchObject({
      isDone: true,
    })
  })
})
