import { keyScopes, type KeyScope } from '@flashsheet/contracts/keys/limits'
import { keyMessages } from '@flashsheet/contracts/keys/messages'
import { grantsScope } from '@flashsheet/contracts/keys/rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { GuardName } from './core/guards.ts'
import { createArtist } from './testing/actors.ts'
import { startTestApp, type TestApp } from './testing/app.ts'
import { createOwner, type Owner } from './testing/artist-with-everything.ts'
import { connectAssistant } from './testing/assistant.ts'
import { createProgram } from './testing/keys.ts'
import { ownedRowsOf, type OwnedRows } from './testing/owned-rows.ts'
import { toolTable } from './tools.ts'

/** The tools that each scope opens. A key opens no others. */
const opened: Partial<Record<KeyScope, readonly string[]>> = {
  'accounts:read': ['list_accounts'],
  'media:read': ['list_media', 'get_added_media'],
  'media:write': ['add_media_from_url'],
  'posts:read': ['list_posts', 'get_post', 'get_limits', 'next_slots', 'list_drafts'],
  'posts:write': ['create_draft', 'update_draft', 'schedule_draft', 'post_now', 'retry_post', 'delete_post'],
  'bookings:read': ['list_appointments'],
  'site:read': ['get_site'],
}

/** The guard of each tool. */
const guarded: Record<string, GuardName> = {
  list_accounts: 'subscriber',
  list_media: 'subscriber',
  add_media_from_url: 'subscriber',
  get_added_media: 'subscriber',
  list_posts: 'subscriber',
  get_post: 'subscriber',
  get_limits: 'subscriber',
  next_slots: 'subscriber',
  list_drafts: 'subscriber',
  create_draft: 'subscriber',
  update_draft: 'subscriber',
  schedule_draft: 'subscriber',
  post_now: 'subscriber',
  retry_post: 'subscriber',
  delete_post: 'subscriber',
  list_appointments: 'studio',
  get_site: 'studio',
}

/** The arguments of tools that take an id. */
const takingIds: Record<string, (owner: Owner) => Record<string, unknown>> = {
  get_added_media: ({ mediaFetch }) => ({ jobId: mediaFetch }),
  get_post: ({ post }) => ({ postId: post }),
  retry_post: ({ post, variant }) => ({ postId: post, variantId: variant }),
  delete_post: ({ post }) => ({ postId: post }),
  update_draft: ({ draft }) => ({ draftId: draft, version: 1, title: 'Taken' }),
  schedule_draft: ({ draft }) => ({ draftId: draft, when: '2099-01-01T00:00:00Z' }),
  post_now: ({ draft }) => ({ draftId: draft }),
}

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => await app.stop())

const names = toolTable.map(({ name }) => name)
const assistantOf = async (artist: { id: string }, scopes: readonly KeyScope[]) =>
  await connectAssistant(app, (await createProgram(app, artist, scopes)).key)

test('the tables contain exactly the tools that exist', () => {
  expect(Object.values(opened).flat().toSorted()).toEqual(names.toSorted())
  expect(Object.keys(guarded).toSorted()).toEqual(names.toSorted())
})

describe('a key lists exactly the tools that its scopes open', () => {
  const kinds: readonly (readonly [name: string, scopes: readonly KeyScope[]])[] = [
    ['no scope', []],
    ['all scopes', keyScopes],
    ...keyScopes.map((scope) => [scope, [scope]] as const),
  ]
  test.each(kinds)('%s', async (_name, scopes) => {
    const { client, tools } = await assistantOf(await createArtist(app), scopes)
    const should = Object.entries(opened).flatMap(([scope, opens]) =>
      grantsScope(scopes, scope as KeyScope) ? opens : [],
    )
    expect((await tools()).toSorted()).toEqual(should.toSorted())
    for (const { name, key } of toolTable.filter((tool) => !should.includes(tool.name)))
      await expect(client.callTool({ name, arguments: {} }), name).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining(keyMessages.missingScope(key)),
        data: { code: 'scope', scope: key },
      })
  })
})

describe('the guards apply to the assistant of an artist who is', () => {
  test.each([
    ['deactivated', { active: false }, () => 'deactivated'],
    ['unverified', { verified: false, plan: null }, () => 'unverified'],
    ['leaving', { requestedDeletion: true }, () => 'leaving'],
    ['unsubscribed', { plan: null }, () => 'no_subscription'],
    ['past due', { status: 'past_due' }, () => 'no_subscription'],
    [
      'on the smaller plan',
      { plan: 'social-line-work' },
      (guard: GuardName) => (guard === 'studio' ? 'plan' : undefined),
    ],
  ] as const)('%s', async (_who, options, refusalOf) => {
    const assistant = await assistantOf(await createArtist(app, options), keyScopes)
    for (const name of names) {
      const expected = refusalOf(guarded[name] ?? 'admin')
      const { refusal } = await assistant.call(name)
      expect([
        name,
        refusal?.['code'] === expected || (expected === undefined && refusal?.['code'] !== 'plan'),
      ]).toEqual([name, true])
    }
  })
})

describe("another artist's things", () => {
  let owner: Owner
  let before: OwnedRows
  beforeAll(async () => {
    owner = await createOwner(app)
    before = await ownedRowsOf(app.client, owner.artist.id)
  }, 30_000)

  test('the table contains every tool that takes an id', () => {
    const testedBelow = ['create_draft', 'get_limits']
    const withIds = toolTable.filter(({ described }) =>
      Object.keys((described.inputSchema['properties'] ?? {}) as object).some(
        (name) => /Ids?$/.test(name) && name !== 'requestId',
      ),
    )
    expect(withIds.map(({ name }) => name).toSorted()).toEqual([...Object.keys(takingIds), ...testedBelow].toSorted())
  })

  test.each(Object.entries(takingIds))('%s does not find them', async (name, of) => {
    const stranger = await assistantOf(await createArtist(app), keyScopes)
    expect((await stranger.call(name, of(owner))).refusal).toMatchObject({ code: 'notFound' })
  })

  test.each(['get_post', 'get_added_media'])('%s finds them for their owner', async (name) => {
    const own = await assistantOf(owner.artist, keyScopes)
    expect((await own.call(name, takingIds[name]?.(owner))).refusal).toBeUndefined()
  })

  test('cannot be posted by another artist, and their allowances are not revealed', async () => {
    const stranger = await assistantOf(await createArtist(app), keyScopes)
    const pages = [{ platform: 'facebook', socialAccountId: owner.account, pageId: owner.page }]
    const asked = { mediaIds: [owner.media], variants: pages.map((page) => ({ ...page, message: 'mine now' })) }
    for (const name of ['post_now', 'create_draft'])
      expect((await stranger.call(name, { ...asked, requestId: name })).refusal, name).toMatchObject({
        code: 'invalid',
      })
    const { answer } = await stranger.call('get_limits', { pages, mediaIds: [owner.media] })
    expect(answer).toMatchObject({ allowances: [] })
  })

  test('after all these calls nothing of the owner has changed', async () => {
    // The owner's own calls created a key.
    const withoutKeys = (all: OwnedRows) => new Map([...all].filter(([table]) => table !== 'api_keys'))
    expect(withoutKeys(await ownedRowsOf(app.client, owner.artist.id))).toEqual(withoutKeys(before))
  })
})
