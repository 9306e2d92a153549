import { type Platform, platforms } from '@flashsheet/contracts/networks'
import type { NewWebhookEndpoint } from '@flashsheet/contracts/webhooks/schema'
import { socialAccounts, socialPages } from '@flashsheet/db/schema/social'
import { webhookSecrets } from '@flashsheet/db/schema/webhooks'
import { eq } from 'drizzle-orm'
import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Keys } from '../../../core/crypto.ts'
import type { System } from '../../../core/context.ts'
import { createLogger } from '../../../core/log.ts'
import { ownerScope } from '../../../core/scope.ts'
import { createArtist, type Artist } from '../../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { accountsWithPictures, connect } from '../../../testing/connect.ts'
import { openSystem } from '../../../testing/system.ts'
import { openSecrets } from '../../webhooks/service/secrets.ts'
import { accountForPublish } from './publishing.ts'
import { resealTokens } from './reseal.ts'
import { openPageToken, openToken } from './token-encryption.ts'

let app: TestApp
let opened: Awaited<ReturnType<typeof openSystem>>
let artist: Artist
beforeAll(async () => {
  app = await startTestApp()
  opened = await openSystem(app)
  artist = await createArtist(app)
  for (const platform of platforms) await connect(app, artist, platform)
  // A job that stores a page's picture locks the row, and resealing skips locked rows.
  await accountsWithPictures(artist)
})
afterAll(async () => {
  await opened?.close()
  await app?.stop()
})

const nextKey = Buffer.from('the key that comes next, and is long enough')

/** The product with these keys, and its log. */
function withKeys(keys: Keys): { system: System; logged: () => string } {
  let text = ''
  const to = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk)
      done()
    },
  })
  const config = { ...opened.system.config, secretKeyOld: undefined, ...keys }
  return { system: { ...opened.system, config, log: createLogger('info', to) }, logged: () => text }
}

const rows = async () => await app.client.db.select().from(socialAccounts).where(eq(socialAccounts.userId, artist.id))
const pagesOf = async (accountId: string) =>
  await app.client.db.select().from(socialPages).where(eq(socialPages.accountId, accountId))
/** Every token of the artist, decrypted with these keys. */
async function tokens(keys: Keys): Promise<string[]> {
  const found: string[] = []
  for (const account of (await rows()).toSorted((a, b) => (a.platform < b.platform ? -1 : 1))) {
    found.push(openToken(keys, account, 'access_token', account.accessToken))
    if (account.refreshToken !== null) found.push(openToken(keys, account, 'refresh_token', account.refreshToken))
    for (const page of (await pagesOf(account.id)).toSorted((a, b) => (a.pageId < b.pageId ? -1 : 1)))
      found.push(openPageToken(keys, account, page) ?? '-')
  }
  return found
}

test('a token copied into another row cannot be decrypted', async () => {
  const stranger = await createArtist(app)
  const own = (await rows()).find((account) => account.platform === 'linkedin')
  const other = (await rows()).find((account) => account.platform === 'youtube')
  if (!own || !other) throw new Error('the accounts are missing')
  const { config } = opened.system
  expect(openToken(config, own, 'access_token', own.accessToken)).not.toBe('')
  expect(() => openToken(config, other, 'access_token', own.accessToken)).toThrow()
  expect(() => openToken(config, { ...own, userId: stranger.id }, 'access_token', own.accessToken)).toThrow()
  expect(() => openToken(config, own, 'refresh_token', own.accessToken)).toThrow()
})

test('rotates to a new key while the product runs: reads with both, writes with the new one, and logs when the old one can be removed', async () => {
  const first: Keys = { secretKey: opened.system.config.secretKey }
  const before = await tokens(first)
  const { system, logged } = withKeys({ secretKey: nextKey, secretKeyOld: first.secretKey })
  // Publishing works before any token is encrypted again.
  const page = async (platform: Platform) => {
    const account = (await rows()).find((one) => one.platform === platform)
    const [at] = await pagesOf(account?.id ?? '')
    return await accountForPublish(system, ownerScope(artist.id), account?.id ?? '', at?.pageId ?? '')
  }
  expect(before).toContain((await page('facebook')).pageAccessToken)
  await Promise.all([resealTokens(system), resealTokens(system)])
  await resealTokens(system)
  expect(await tokens({ secretKey: nextKey })).toEqual(before)
  expect(logged()).toContain('SECRET_KEY_OLD can be removed')
  expect(before).toContain((await page('facebook')).pageAccessToken)
  // The previous key decrypts nothing any more.
  await expect(tokens(first)).rejects.toThrow('another key')
  // Restored for the next tests.
  const back = withKeys({ secretKey: first.secretKey, secretKeyOld: nextKey })
  await resealTokens(back.system)
  expect(await tokens(first)).toEqual(before)
})

test('a new key signs webhooks with the secret that their endpoint has', async () => {
  const asked = { url: `${app.sandboxUrl}/sink/rotated`, events: ['post.posted'] }
  const { body: endpoint } = await artist.post<NewWebhookEndpoint>('/api/webhook-endpoints', asked)
  const secretsBy = async (keys: Keys) =>
    await openSecrets(withKeys(keys).system, ownerScope(artist.id), endpoint._id, new Date())
  const first: Keys = { secretKey: opened.system.config.secretKey }
  const { system, logged } = withKeys({ secretKey: nextKey, secretKeyOld: first.secretKey })
  await Promise.all([resealTokens(system), resealTokens(system)])
  await resealTokens(system)
  expect(await secretsBy({ secretKey: nextKey })).toEqual([endpoint.secret])
  expect(await secretsBy(first)).toEqual([])
  expect(logged()).toContain('SECRET_KEY_OLD can be removed')
  await resealTokens(withKeys({ secretKey: first.secretKey, secretKeyOld: nextKey }).system)
  expect(await secretsBy(first)).toEqual([endpoint.secret])
})

test('binds a token to its row that was encrypted before tokens were bound', async () => {
  const { config } = opened.system
  const before = await tokens(config)
  for (const account of await rows()) {
    const plain = openToken(config, account, 'access_token', account.accessToken)
    const nonce = randomBytes(12)
    const cipher = createCipheriv(
      'aes-256-gcm',
      Buffer.from(hkdfSync('sha256', config.secretKey, new Uint8Array(0), 'tokens-1', 32)),
      nonce,
    )
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
    await app.client.db
      .update(socialAccounts)
      .set({ accessToken: `1.${nonce.toString('base64url')}.${body.toString('base64url')}` })
      .where(eq(socialAccounts.id, account.id))
  }
  expect(await tokens(config)).toEqual(before)
  await resealTokens(opened.system)
  expect((await rows()).every((account) => account.accessToken.startsWith('2.'))).toBe(true)
  expect(await tokens(config)).toEqual(before)
})

test('a token that no key decrypts stays and is logged, and the old key is still needed', async () => {
  const before = await rows()
  const { system, logged } = withKeys({
    secretKey: nextKey,
    secretKeyOld: Buffer.from('another key that never sealed anything here'),
  })
  await resealTokens(system)
  expect(await rows()).toEqual(before)
  expect(logged()).toContain('tokens that no key decrypts')
  expect(logged()).not.toContain('can be removed')
})

test('a secret of a webhook that no key decrypts is counted: the old key is still needed', async () => {
  const asked = { url: `${app.sandboxUrl}/sink/unreadable`, events: ['post.posted'] }
  const { body: endpoint } = await artist.post<NewWebhookEndpoint>('/api/webhook-endpoints', asked)
  await app.client.db
    .update(webhookSecrets)
    .set({ secret: 'unreadable' })
    .where(eq(webhookSecrets.endpointId, endpoint._id))
  const { system, logged } = withKeys({ secretKey: nextKey, secretKeyOld: opened.system.config.secretKey })
  await resealTokens(system)
  expect(logged()).toContain('tokens were encrypted again')
  expect(logged()).not.toContain('can be removed')
})
