import { assistantInstructions, toolMessages } from '@flashsheet/contracts/assistants/messages'
import { keyMessages } from '@flashsheet/contracts/keys/messages'
import type { Draft } from '@flashsheet/contracts/drafts/schema'
import type { Post, PostResult } from '@flashsheet/contracts/posts/schema'
import type { FromUrlState } from '@flashsheet/contracts/media/schema'
import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import type { Site } from '@flashsheet/contracts/website/schema'
import { picture } from '@flashsheet/sandbox/fixtures/videos'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArtist, type Artist, type Visitor } from './testing/actors.ts'
import { startTestApp, type TestApp } from './testing/app.ts'
import { connectAssistant, type ProtocolRevision } from './testing/assistant.ts'
import { connect } from './testing/connect.ts'
import { createProgram } from './testing/keys.ts'
import { untilSettled, uploadPictures, variantsOf } from './testing/posting.ts'
import { eventually } from './testing/sandbox.ts'

let app: TestApp
let artist: Artist
let account: SocialAccount
let pictures: Server
beforeAll(async () => {
  app = await startTestApp({ env: { FETCH_LOOPBACK: 'on' } })
  artist = await createArtist(app)
  account = await connect(app, artist, 'facebook')
  const jpeg = await picture(800, 1000, 29)
  pictures = createServer((_request, response) => response.setHeader('content-type', 'image/jpeg').end(jpeg))
  await once(pictures.listen(0, '127.0.0.1'), 'listening')
})
afterAll(async () => {
  pictures.close().closeAllConnections()
  await app.stop()
})

const allScopes = ['posts:write', 'media:write', 'accounts:read', 'bookings:read', 'site:read'] as const
const revisions: ProtocolRevision[] = ['modern', 'legacy']

const rpc = (method: string, params: Record<string, unknown> = {}) => ({ jsonrpc: '2.0', id: 1, method, params })
const speaks = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }

describe('who is refused at /mcp', () => {
  test.each([
    ['nobody', {}],
    ['an unknown key', { authorization: 'Bearer fs_test_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcd0omAup' }],
    ['another scheme', { authorization: 'Basic bWFyYTpzaGVldA==' }],
  ])('%s gets 401 with the message that the key is not valid', async (_who, headers) => {
    const refused = await app.visitor().post('/mcp', rpc('tools/list'), { ...speaks, ...headers })
    expect(refused).toMatchObject({ status: 401, body: { message: keyMessages.notValid, code: 'key' } })
    expect(refused.headers.get('www-authenticate')).toContain('Bearer')
  })

  test('a browser with a session is refused, since cookies are ignored', async () => {
    const refused = await artist.post('/mcp', rpc('tools/list'), speaks)
    expect(refused).toMatchObject({ status: 401, body: { code: 'key' } })
  })

  test('a page of another site is refused, even with a valid key', async () => {
    const program = await createProgram(app, artist, allScopes)
    const refused = await program.post('/mcp', rpc('tools/list'), { ...speaks, origin: 'https://elsewhere.example' })
    expect(refused).toMatchObject({ status: 403, body: { code: 'origin' } })
    const own = await program.post('/mcp', rpc('tools/list'), { ...speaks, origin: app.url })
    expect(own.status).toBe(200)
  })

  test('a revoked key is refused at the next message', async () => {
    const { key, keyId } = await createProgram(app, artist, allScopes)
    const assistant = await connectAssistant(app, key)
    expect((await assistant.call('list_accounts')).answer).toMatchObject({ accounts: [{ platform: 'facebook' }] })
    expect((await artist.delete(`/api/keys/${keyId}`)).status).toBe(200)
    await expect(assistant.call('list_accounts')).rejects.toThrow(/401|Unauthorized|not valid/i)
  })

  test('each tool refuses an artist without a plan', async () => {
    const { key } = await createProgram(app, await createArtist(app, { plan: null }), allScopes)
    const { answer, refusal } = await (await connectAssistant(app, key)).call('list_accounts')
    expect(answer).toBeUndefined()
    expect(refusal).toMatchObject({ code: 'no_subscription' })
  })
})

describe('a malformed message', () => {
  test.each([
    ['no JSON', '{', 400],
    ['a list of calls', JSON.stringify([rpc('tools/list'), rpc('tools/list')]), 400],
    ['null', 'null', 400],
    ['a text', '"tools/list"', 400],
    ['no method', '{"jsonrpc":"2.0","id":1}', 400],
    ['more than a megabyte', JSON.stringify(rpc('tools/call', { name: 'x'.repeat(1_100_000) })), 413],
  ])('%s is refused', async (_what, body, status) => {
    const program = await createProgram(app, artist, [])
    const refused = await program.fetch('/mcp', { method: 'POST', headers: speaks, body })
    expect(refused.status).toBe(status)
    expect(await refused.text()).not.toContain('stack')
  })

  test.each<[string, unknown]>([
    ['a method that is a number', rpc(5 as unknown as string)],
    ['parameters that are a list', { ...rpc('tools/call'), params: [] }],
    ['a tool whose name is no text', rpc('tools/call', { name: { toString: 0 }, arguments: {} })],
    ['parameters that are null', { ...rpc('tools/call'), params: null }],
    ['no tool', rpc('tools/call')],
    ['a tool that is a number', rpc('tools/call', { name: 5 })],
    ['a tool named like a property of every object', rpc('tools/call', { name: 'constructor' })],
    ['arguments that are a text', rpc('tools/call', { name: 'get_post', arguments: 'mine' })],
    ['arguments that are a list', rpc('tools/call', { name: 'get_post', arguments: ['mine'] })],
    ['arguments with a NUL', rpc('tools/call', { name: 'get_post', arguments: { postId: '\0' } })],
    [
      'an argument named __proto__',
      JSON.parse(
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_post","arguments":{"__proto__":1}}}',
      ),
    ],
    ['an id that is an object', { ...rpc('tools/list'), id: {} }],
    ['another version', { ...rpc('tools/list'), jsonrpc: '1.0' }],
    ['an unknown method', rpc('tools/forget')],
    ['an answer to nothing', { jsonrpc: '2.0', id: 1, result: {} }],
    [
      'very deep parameters',
      JSON.parse(
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_post","arguments":{"postId":${'['.repeat(900)}${']'.repeat(900)}}}}`,
      ),
    ],
  ])('%s is not answered with an internal error, in either protocol', async (_what, message) => {
    const program = await createProgram(app, artist, allScopes)
    for (const headers of [speaks, { ...speaks, 'mcp-protocol-version': '2026-07-28' }]) {
      const answer = await program.fetch('/mcp', { method: 'POST', headers, body: JSON.stringify(message) })
      expect(answer.status).toBeLessThan(500)
      expect(await answer.text()).not.toContain('Something went wrong')
    }
  })

  test.each(['GET', 'DELETE', 'PUT'])('%s is 405', async (method) => {
    const program = await createProgram(app, artist, [])
    const refused = await program.fetch('/mcp', { method })
    expect(refused.status).toBe(405)
    expect(refused.headers.get('allow')).toBe('POST')
  })

  test('no stream stays open', async () => {
    const program = await createProgram(app, artist, allScopes)
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const answer = await program.fetch('/mcp', {
      method: 'POST',
      headers: { ...speaks, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
      body: JSON.stringify(rpc('subscriptions/listen', { _meta: meta, notifications: { toolsListChanged: true } })),
    })
    expect(JSON.parse(await answer.text())).toMatchObject({ error: { code: expect.any(Number) } })
  })
})

describe.each(revisions)('an assistant that speaks the %s protocol', (revision) => {
  test('reads the instructions and the annotations of the tools', async () => {
    const { key } = await createProgram(app, artist, allScopes)
    const { client } = await connectAssistant(app, key, revision)
    expect(client.getInstructions()).toBe(assistantInstructions)
    expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: false } })
    const { tools } = await client.listTools()
    const byName = new Map(tools.map((tool) => [tool.name, tool]))
    for (const { name, title, description, outputSchema } of tools) {
      expect([name, title, description].every((text) => text !== undefined && text !== '')).toBe(true)
      expect(outputSchema, name).toMatchObject({ type: 'object' })
    }
    // What a description names in backticks is a field or value of a tool, or `current` of a refusal.
    const schemas = JSON.stringify(tools.map(({ inputSchema, outputSchema }) => [inputSchema, outputSchema]))
    for (const { name, description = '' } of tools)
      for (const [, word = ''] of description.matchAll(/`(?:[\w.]+\.)?([\w-]+)`/g))
        expect([name, word, word === 'current' || schemas.includes(`"${word}"`)]).toEqual([name, word, true])
    expect(byName.get('post_now')?.inputSchema).toMatchObject({
      additionalProperties: false,
      properties: { variants: { items: { additionalProperties: false } } },
    })
    expect(byName.get('list_posts')?.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false })
    expect(byName.get('post_now')?.annotations).toMatchObject({
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: true,
    })
    expect(byName.get('delete_post')?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true })
  })

  test('adds a picture from an address, posts it, and reads the outcome', async () => {
    const { key } = await createProgram(app, artist, allScopes)
    const assistant = await connectAssistant(app, key, revision)
    const { answer: to } = await assistant.call<{ accounts: SocialAccount[] }>('list_accounts')
    const url = `http://127.0.0.1:${(pictures.address() as AddressInfo).port}/flash.jpg`
    const { answer: added } = await assistant.call<FromUrlState & { link: string; jobId: string }>(
      'add_media_from_url',
      { url },
    )
    expect(added.link).toBe(`${app.url}/media`)
    const { item } = await eventually('the picture', async () => {
      const { answer } = await assistant.call<FromUrlState>('get_added_media', { jobId: added.jobId })
      return answer.state !== 'fetching' && answer
    })
    expect(item).toMatchObject({ fileName: 'flash.jpg' })
    const [facebook] = to.accounts
    const asked = {
      mediaIds: [item?._id],
      variants: facebook && variantsOf(facebook),
      requestId: `${revision}-once`,
    }
    const sent = await assistant.call<PostResult & { happened: string; link: string }>('post_now', asked)
    expect(sent.answer).toMatchObject({
      happened: toolMessages.sent(1),
      link: `${app.url}/scheduled-posts?post=${sent.answer._id}`,
    })
    expect((await assistant.call<PostResult>('post_now', asked)).answer._id).toBe(sent.answer._id)
    const outcome = await eventually('the outcome', async () => {
      const { answer } = await assistant.call<{ post: Post }>('get_post', { postId: sent.answer._id })
      return answer.post.status !== 'scheduled' && answer.post
    })
    expect(outcome).toMatchObject({ status: 'posted', variants: [{ permalink: expect.stringContaining('http') }] })
  })

  test('creates a draft, schedules it at the next slot, lists the post, and deletes it', async () => {
    const own = await createArtist(app)
    const page = await connect(app, own, 'facebook')
    await own.put('/api/queue', { slots: [{ days: [1, 2, 3, 4, 5, 6, 7], time: '09:00' }] })
    const { key } = await createProgram(app, own, allScopes)
    const assistant = await connectAssistant(app, key, revision)
    const { answer: made } = await assistant.call<{ draft: Draft; happened: string }>('create_draft', {
      mediaIds: await uploadPictures(own),
      variants: variantsOf(page),
    })
    expect(made.happened).toBe(toolMessages.drafted)
    expect((await assistant.call('list_posts')).answer).toMatchObject({ posts: [] })
    const { _id: draftId, version } = made.draft
    const changed = await assistant.call<{ draft: Draft }>('update_draft', { draftId, version, title: 'Rose' })
    expect(changed.answer.draft).toMatchObject({ title: 'Rose' })
    const stale = await assistant.call('update_draft', { draftId, version, title: 'Lily' })
    expect(stale.refusal).toMatchObject({ code: 'conflict', current: { title: 'Rose' } })
    expect((await assistant.call('list_drafts')).answer).toMatchObject({ drafts: [{ _id: draftId, title: 'Rose' }] })

    const { answer: free } = await assistant.call<{ slots: { at: string }[] }>('next_slots', { count: 1 })
    const asked = { draftId, when: 'next-slot' }
    const { answer } = await assistant.call<PostResult & { happened: string; link: string }>('schedule_draft', asked)
    expect(answer).toMatchObject({
      scheduledAt: free.slots[0]?.at,
      happened: toolMessages.scheduled(free.slots[0]?.at ?? '', 1),
      link: `${app.url}/scheduled-posts?post=${answer._id}`,
    })
    expect((await assistant.call<PostResult>('schedule_draft', asked)).answer._id).toBe(answer._id)
    const listed = await assistant.call<{ posts: Post[]; nextCursor: string | null }>('list_posts', { limit: 1 })
    expect(listed.answer.posts.map(({ _id }) => _id)).toEqual([answer._id])
    const deleted = await assistant.call('delete_post', { postId: answer._id })
    expect(deleted.answer).toMatchObject({ deleted: true, happened: toolMessages.deleted })
    expect((await assistant.call('get_post', { postId: answer._id })).refusal).toMatchObject({ code: 'notFound' })
  })

  test('posts a draft once, however often it calls', async () => {
    const { key } = await createProgram(app, artist, allScopes)
    const assistant = await connectAssistant(app, key, revision)
    const { answer: made } = await assistant.call<{ draft: Draft }>('create_draft', {
      mediaIds: await uploadPictures(artist),
      variants: variantsOf(account),
    })
    const { _id: draftId } = made.draft
    const both = await assistant.call('post_now', { draftId, mediaIds: made.draft.mediaIds })
    expect(both.refusal).toMatchObject({ fields: { draftId: toolMessages.draftOrContent } })
    const asNow = await assistant.call('schedule_draft', { draftId, when: 'now' })
    expect(asNow.refusal).toMatchObject({ fields: { when: toolMessages.nowIsPostNow } })
    const answers = await Promise.all(
      [1, 2, 3].map(async () => await assistant.call<PostResult>('post_now', { draftId })),
    )
    expect(new Set(answers.map(({ answer }) => answer._id)).size).toBe(1)
  })

  test('posts a draft, and adds its pictures to the gallery if that is requested', async () => {
    const { key } = await createProgram(app, artist, allScopes)
    const assistant = await connectAssistant(app, key, revision)
    const mediaIds = await uploadPictures(artist)
    const content = { mediaIds, variants: variantsOf(account) }
    const { answer: made } = await assistant.call<{ draft: Draft }>('create_draft', content)
    const asked = { draftId: made.draft._id, toGallery: true }
    const { answer: sent } = await assistant.call<PostResult>('post_now', asked)
    expect((await untilSettled(artist, sent._id)).status).toBe('posted')
    expect((await artist.get<Site>('/api/websitebuilder')).body.gallery).toEqual(expect.arrayContaining(mediaIds))
    expect((await assistant.call<PostResult>('post_now', asked)).answer._id).toBe(sent._id)
  })

  test('gets our messages for invalid arguments, and nothing is created', async () => {
    const { key } = await createProgram(app, artist, allScopes)
    const assistant = await connectAssistant(app, key, revision)
    const wrong = await assistant.call('post_now', { mediaIds: [], variants: [], requestId: 'x' })
    expect(wrong.refusal).toMatchObject({ code: 'invalid', fields: { mediaIds: expect.any(String) } })
    const withTime = { mediaIds: [], variants: [], requestId: 'x', scheduledAt: '2099-01-01T00:00:00Z' }
    expect((await assistant.call('post_now', withTime)).refusal).toMatchObject({
      code: 'invalid',
      fields: { scheduledAt: toolMessages.unknownField('scheduledAt') },
    })
    const mediaIds = await uploadPictures(artist)
    const noId = await assistant.call('post_now', { mediaIds, variants: variantsOf(account) })
    expect(noId.refusal).toMatchObject({ fields: { requestId: toolMessages.requestIdRequired } })
    expect((await assistant.call('get_post', { postId: 'mine' })).refusal).toMatchObject({ code: 'invalid' })
  })

  test.each<[string, object, string]>([
    ['of a page', { caption: 'Roses' }, 'variants.0.caption'],
    ['of its options', { options: { instagram: { story: true } } }, 'variants.0.options.instagram'],
    ['of a crop', { crops: [{ x: 0, y: 0, width: 1, height: 1, zoom: 2 }] }, 'variants.0.crops.0.zoom'],
  ])('is refused an unknown field %s, and nothing is created', async (_what, extra, path) => {
    const { key } = await createProgram(app, artist, allScopes)
    const assistant = await connectAssistant(app, key, revision)
    const variants = variantsOf(account, {}, account.pages).map((variant) => ({ ...variant, ...extra }))
    const sent = { mediaIds: await uploadPictures(artist), variants, requestId: crypto.randomUUID() }
    for (const tool of ['post_now', 'create_draft']) {
      const { refusal } = await assistant.call(tool, sent)
      const paths = [path, path.replace('variants.0', 'variants.1')]
      const fields = Object.fromEntries(paths.map((one) => [one, toolMessages.unknownField(one)]))
      expect(refusal).toEqual({ message: toolMessages.unknownField(path), code: 'invalid', fields })
    }
    // A post or draft that was made all the same would keep the request id.
    const known = { ...sent, variants: variantsOf(account) }
    for (const tool of ['post_now', 'create_draft']) expect((await assistant.call(tool, known)).refusal).toBeUndefined()
  })

  test('gets an error for an unknown tool', async () => {
    const { key } = await createProgram(app, artist, allScopes)
    const { client } = await connectAssistant(app, key, revision)
    await expect(client.callTool({ name: 'post_everything', arguments: {} })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(toolMessages.unknownTool('post_everything')),
    })
  })
})

test.each([
  ['a message that is not JSON', 400, async (program: Visitor) => await program.post('/mcp', '{', speaks)],
  ['a list of messages', 400, async (program: Visitor) => await program.post('/mcp', [rpc('tools/list')], speaks)],
  ['another method than POST', 405, async (program: Visitor) => await program.get('/mcp')],
])('%s counts against the rate limit of its key', async (_what, status, send) => {
  const refused = await send(await createProgram(app, artist, allScopes))
  expect(refused.status).toBe(status)
  expect(refused.headers.get('ratelimit')).toMatch(/^"key";r=\d+;t=\d+$/)
})

test('each call counts against the rate limit of its key, and one too many is refused with Retry-After', async () => {
  const limited = await startTestApp({ role: 'web', env: { RATE_LIMITS: 'on' }, startAt: '2026-12-01T10:00:00Z' })
  try {
    const program = await createProgram(limited, await createArtist(limited), ['posts:write'])
    const call = async () => await program.post('/mcp', rpc('tools/call', { name: 'post_now', arguments: {} }), speaks)
    const first = await call()
    expect(first.headers.get('ratelimit')).toMatch(/^"key";r=599;t=\d+, "create";r=59;t=\d+$/)
    for (let asked = 1; asked < 60; asked += 1) expect((await call()).status).toBe(200)
    const refused = await call()
    expect(refused).toMatchObject({ status: 429, body: { code: 'tooMany' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await program.post('/mcp', rpc('tools/list'), speaks)).status).toBe(200)
  } finally {
    await limited.stop()
  }
})
