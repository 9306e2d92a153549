import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { GuardName } from './core/guards.ts'
import { restTable } from './rest.ts'
import { createArtist, type Visitor } from './testing/actors.ts'
import { startTestApp, type TestApp } from './testing/app.ts'
import { ownedRowsOf, type OwnedRows } from './testing/owned-rows.ts'
import { guardTable } from './testing/guard-table.ts'
import { procedures, verdict, type Refusal } from './testing/guard-verdicts.ts'
import { createOwner, type Owner } from './testing/artist-with-everything.ts'

const everybody = [
  'stranger',
  'deactivated',
  'unverified',
  'leaving',
  'unsubscribed',
  'past due',
  'smaller plan',
  'studio',
  'admin',
] as const
type Who = (typeof everybody)[number]

/** How each guard refuses which kinds of caller. It admits all others. */
const refusals: Record<GuardName, Partial<Record<Who, Refusal>>> = (() => {
  const signedIn = { stranger: '401', deactivated: '403 deactivated' } as const
  const verified = { ...signedIn, unverified: '403 unverified', leaving: '403 leaving' } as const
  const subscriber = {
    ...verified,
    unsubscribed: '403 no_subscription',
    'past due': '403 no_subscription',
    admin: '403 no_subscription',
  } as const
  const notStaff = {
    unsubscribed: '403 admin',
    'past due': '403 admin',
    'smaller plan': '403 admin',
    studio: '403 admin',
  } as const
  return {
    public: {},
    signedIn,
    verified,
    subscriber,
    studio: { ...subscriber, 'smaller plan': '403 plan' },
    admin: { ...verified, ...notStaff },
  }
})()

let app: TestApp
const callers = new Map<Who, () => Promise<Visitor>>()
beforeAll(async () => {
  app = await startTestApp()
  const define = (who: Who, create: () => Promise<Visitor>) => {
    let created: Promise<Visitor> | undefined
    callers.set(who, async () => await (created ??= create()))
  }
  define('stranger', async () => await Promise.resolve(app.visitor()))
  define('deactivated', async () => await createArtist(app, { active: false }))
  define('unverified', async () => await createArtist(app, { verified: false, plan: null }))
  define('leaving', async () => await createArtist(app, { requestedDeletion: true }))
  define('unsubscribed', async () => await createArtist(app, { plan: null }))
  define('past due', async () => await createArtist(app, { status: 'past_due' }))
  define('smaller plan', async () => await createArtist(app, { plan: 'social-line-work' }))
  define('studio', async () => await createArtist(app))
  define('admin', async () => await createArtist(app, { plan: null, admin: true }))
})
afterAll(async () => await app.stop())

test('the table contains exactly the paths and procedures that exist', () => {
  const operations = [...restTable.map((row) => `${row.method} ${row.path}`), ...Object.keys(procedures)]
  expect(Object.keys(guardTable).sort()).toEqual(operations.sort())
})

describe('every endpoint admits exactly the callers of its guard', () => {
  // A failed log-in is answered with 401, whoever calls.
  const own401 = new Set(['POST /api/users/auth', 'auth.login'])
  const operations = Object.entries(guardTable).filter(([operation]) => !own401.has(operation))
  // These end the caller's session.
  const endsSession = new Set(['POST /api/users/logout', 'auth.logout', 'auth.endOtherSessions', 'auth.keepAccount'])
  const verdictsAt = async (operation: string, guard: GuardName, asked: readonly Who[]) => {
    const verdicts: Partial<Record<Who, Refusal>> = {}
    for (const who of asked) {
      const isRefused = refusals[guard][who] !== undefined
      if (endsSession.has(operation) && !isRefused) continue
      const visitor = await callers.get(who)?.()
      const answer = visitor && (await verdict(visitor, operation))
      if (answer) verdicts[who] = answer
    }
    return verdicts
  }
  const refusalsOf = (guard: GuardName, asked: readonly Who[]) =>
    Object.fromEntries(asked.flatMap((who) => (refusals[guard][who] ? [[who, refusals[guard][who]]] : [])))
  /** Any two guards treat at least one of these differently, so they identify the guard of an endpoint. */
  const distinguishing: readonly Who[] = ['stranger', 'unverified', 'unsubscribed', 'smaller plan', 'studio', 'admin']
  const askedOf = process.env['TEST_LONG'] === '1' ? everybody : distinguishing

  test.each(operations)('%s is for %s', async (operation, guard) => {
    expect(await verdictsAt(operation, guard, askedOf)).toEqual(refusalsOf(guard, askedOf))
  })

  const guards = [...new Set(Object.values(guardTable))]
  test.each(guards)('the guard %s treats each kind of caller the same over REST and tRPC', async (guard) => {
    const [rest, trpc] = [true, false].map((isRest) =>
      operations.find(([operation, its]) => its === guard && operation.includes(' ') === isRest),
    )
    for (const found of [rest, trpc]) {
      if (!found) throw new Error(`no operation has the guard ${guard}`)
      expect(await verdictsAt(found[0], guard, everybody), found[0]).toEqual(refusalsOf(guard, everybody))
    }
  })

  test('any two guards differ for one of the callers that are tested at every endpoint', () => {
    const patterns = guards.map((guard) => JSON.stringify(refusalsOf(guard, distinguishing)))
    expect(new Set(patterns).size).toBe(guards.length)
  })
})

/** The request to an endpoint (path or procedure) with the id of something that belongs to another artist. */
type Ask = (owner: Owner) => { path?: Record<string, string>; body?: unknown }
const later = () => new Date(app.clock.now().getTime() + 86_400_000).toISOString()
const pageOf = (owner: Owner) => ({ socialAccountId: owner.account, pageId: owner.page })
const postWith = (owner: Owner) => ({
  mediaIds: [owner.media],
  variants: [
    { platform: 'facebook', socialAccountId: owner.account, pageId: owner.page, title: '', message: 'mine now' },
  ],
  requestId: 'taken',
})

/** Endpoints that answer 404. One that takes an id and is in none of these tables fails the test below. */
const notFound: Record<string, Ask> = {
  'PATCH /api/uploads/:id': ({ upload }) => ({ path: { id: upload } }),
  'DELETE /api/uploads/:id': ({ upload }) => ({ path: { id: upload } }),
  'GET /api/uploads/:id': ({ upload }) => ({ path: { id: upload } }),
  'POST /api/uploads/:id/poster': ({ upload }) => ({ path: { id: upload } }),
  'GET /files/media/:id/:form': ({ media }) => ({ path: { id: media, form: 'thumbnail' } }),
  'GET /files/page-pictures/:id/:file': ({ pictureId, pictureFile }) => ({
    path: { id: pictureId, file: pictureFile },
  }),
  'GET /files/posts/:postId/:position': ({ post }) => ({ path: { postId: post, position: '0' } }),
  'DELETE /api/media': ({ media }) => ({ body: { ids: [media] } }),
  'DELETE /api/social-accounts/:id': ({ account }) => ({ path: { id: account } }),
  'DELETE /api/social-accounts/:accountId/pages/:pageId': ({ account, page }) => ({
    path: { accountId: account, pageId: page },
  }),
  'PUT /api/social-accounts/:id/token': ({ account }) => ({ path: { id: account } }),
  'POST /api/websitebuilder/gallery': ({ media }) => ({ body: { ids: [media] } }),
  'PUT /api/posts/:postId': ({ post }) => ({ path: { postId: post }, body: { scheduledAt: later() } }),
  'PUT /api/appointments/:id': ({ appointment }) => ({ path: { id: appointment }, body: { status: 'cancelled' } }),
  'DELETE /api/appointments/:id': ({ appointment }) => ({ path: { id: appointment } }),
  'GET /api/posts/:postId': ({ post }) => ({ path: { postId: post } }),
  'DELETE /api/posts/:postId': ({ post }) => ({ path: { postId: post } }),
  'POST /api/posts/:postId/retry': ({ post }) => ({ path: { postId: post } }),
  'POST /api/posts/:postId/publish': ({ post }) => ({ path: { postId: post } }),
  'POST /api/posts/:postId/duplicate': ({ post }) => ({ path: { postId: post } }),
  'GET /api/media/:id': ({ media }) => ({ path: { id: media } }),
  'GET /api/media/from-url/:jobId': ({ mediaFetch }) => ({ path: { jobId: mediaFetch } }),
  'media.fromUrl': ({ mediaFetch }) => ({ body: { jobId: mediaFetch } }),
  'posts.cancel': ({ post }) => ({ body: { postId: post } }),
  'drafts.duplicate': ({ post }) => ({ body: { postId: post } }),
  'GET /api/drafts/:draftId': ({ draft }) => ({ path: { draftId: draft } }),
  'PUT /api/drafts/:draftId': ({ draft }) => ({ path: { draftId: draft }, body: { version: 1, title: 'Taken' } }),
  'DELETE /api/drafts/:draftId': ({ draft }) => ({ path: { draftId: draft } }),
  'POST /api/drafts/:draftId/post': ({ draft }) => ({ path: { draftId: draft }, body: { when: 'now' } }),
  'drafts.get': ({ draft }) => ({ body: { draftId: draft } }),
  'drafts.update': ({ draft }) => ({ body: { draftId: draft, version: 1, title: 'Taken' } }),
  'drafts.remove': ({ draft }) => ({ body: { draftId: draft } }),
  'drafts.post': ({ draft }) => ({ body: { draftId: draft, when: 'now' } }),
  'auth.updateProfile': ({ artist }) => ({ body: { _id: artist.id, name: 'Taken' } }),
  'auth.endSession': ({ session }) => ({ body: { id: session } }),
  'media.get': ({ media }) => ({ body: { id: media } }),
  'media.remove': ({ media }) => ({ body: { ids: [media] } }),
  'social.disconnect': ({ account }) => ({ body: { id: account } }),
  'social.removePage': ({ account, page }) => ({ body: { accountId: account, pageId: page } }),
  'social.refreshToken': ({ account }) => ({ body: { id: account } }),
  'social.creatorInfo': ({ account }) => ({ body: { socialAccountId: account } }),
  'website.addToGallery': ({ media }) => ({ body: { ids: [media] } }),
  'website.setFlash': ({ galleryItem }) => ({ body: { id: galleryItem, flash: { title: 'mine now' } } }),
  'website.describeGalleryItem': ({ galleryItem }) => ({ body: { id: galleryItem, altText: 'mine now' } }),
  'posts.get': ({ post }) => ({ body: { postId: post } }),
  'posts.update': ({ post }) => ({ body: { postId: post, scheduledAt: later() } }),
  'posts.publishNow': ({ post }) => ({ body: { postId: post } }),
  'posts.retry': ({ post, variant }) => ({ body: { postId: post, variantId: variant } }),
  'posts.markPosted': ({ post, variant }) => ({
    body: { postId: post, variantId: variant, address: 'https://www.facebook.com/1/posts/2' },
  }),
  'posts.candidates': ({ post, variant }) => ({ body: { postId: post, variantId: variant } }),
  'posts.pickCandidate': ({ post, variant }) => ({ body: { postId: post, variantId: variant, candidateId: '1_2' } }),
  'posts.postAgain': ({ post, variant }) => ({ body: { postId: post, variantId: variant } }),
  'posts.remove': ({ post }) => ({ body: { postId: post } }),
  'appointments.get': ({ appointment }) => ({ body: { id: appointment } }),
  'appointments.update': ({ appointment }) => ({ body: { id: appointment, status: 'cancelled' } }),
  'appointments.remove': ({ appointment }) => ({ body: { id: appointment } }),
  'appointments.notSpam': ({ appointment }) => ({ body: { id: appointment } }),
  'PUT /api/webhook-endpoints/:id': ({ endpoint }) => ({ path: { id: endpoint }, body: { active: true } }),
  'DELETE /api/webhook-endpoints/:id': ({ endpoint }) => ({ path: { id: endpoint } }),
  'POST /api/webhook-endpoints/:id/rotate': ({ endpoint }) => ({ path: { id: endpoint } }),
  'POST /api/webhook-endpoints/:id/test': ({ endpoint }) => ({ path: { id: endpoint } }),
  'GET /api/webhook-endpoints/:id/deliveries': ({ endpoint }) => ({ path: { id: endpoint } }),
  'GET /api/webhook-endpoints/:id/deliveries/:deliveryId': ({ endpoint, delivery }) => ({
    path: { id: endpoint, deliveryId: delivery },
  }),
  'POST /api/webhook-endpoints/:id/deliveries/:deliveryId/resend': ({ endpoint, delivery }) => ({
    path: { id: endpoint, deliveryId: delivery },
  }),
  'webhooks.update': ({ endpoint }) => ({ body: { id: endpoint, active: true } }),
  'webhooks.remove': ({ endpoint }) => ({ body: { id: endpoint } }),
  'webhooks.rotate': ({ endpoint }) => ({ body: { id: endpoint } }),
  'webhooks.test': ({ endpoint }) => ({ body: { id: endpoint } }),
  'webhooks.deliveries': ({ endpoint }) => ({ body: { id: endpoint } }),
  'webhooks.delivery': ({ endpoint, delivery }) => ({ body: { id: endpoint, deliveryId: delivery } }),
  'webhooks.resend': ({ endpoint, delivery }) => ({ body: { id: endpoint, deliveryId: delivery } }),
  'assistants.disconnect': ({ assistant }) => ({ body: { id: assistant } }),
  'DELETE /api/keys/:id': ({ key }) => ({ path: { id: key } }),
  'keys.revoke': ({ key }) => ({ body: { id: key } }),
}

/** Endpoints that ignore what does not belong to the caller. */
const ignored: Record<string, Ask> = {
  'PUT /api/websitebuilder/gallery/:id/flash': ({ galleryItem }) => ({
    path: { id: galleryItem },
    body: { flash: { title: 'mine now' } },
  }),
  'DELETE /api/websitebuilder/gallery/:id': ({ galleryItem }) => ({ path: { id: galleryItem } }),
  'website.removeFromGallery': ({ galleryItem }) => ({ body: { ids: [galleryItem] } }),
  'website.reorderGallery': ({ galleryItem }) => ({ body: { ids: [galleryItem] } }),
  'notices.read': ({ notice }) => ({ body: { ids: [notice] } }),
  'posts.watch': ({ post }) => ({ body: { postIds: [post] } }),
  'media.forNetwork': ({ media }) => ({ body: { mediaIds: [media], platform: 'facebook' } }),
  'posts.slotFor': (owner) => ({ body: { pages: [pageOf(owner)] } }),
  'posts.allowances': ({ account, page, media }) => ({
    body: { pages: [{ platform: 'facebook', socialAccountId: account, pageId: page }], mediaIds: [media] },
  }),
}

/** Endpoints that refuse the whole request. */
const refused: Record<string, Ask> = {
  'POST /api/posts': (owner) => ({ body: postWith(owner) }),
  'POST /api/posts/schedule': (owner) => ({ body: { ...postWith(owner), scheduledAt: later() } }),
  'PUT /api/queue': (owner) => ({ body: { slots: [{ days: [1], time: '09:00', pages: [pageOf(owner)] }] } }),
  'POST /api/drafts': (owner) => ({ body: postWith(owner) }),
  'drafts.create': (owner) => ({ body: postWith(owner) }),
  'posts.saveQueue': (owner) => ({ body: { slots: [{ days: [1], time: '09:00', pages: [pageOf(owner)] }] } }),
  'posts.create': (owner) => ({ body: postWith(owner) }),
  'posts.schedule': (owner) => ({ body: { ...postWith(owner), scheduledAt: later() } }),
}

/** Parameters and fields that are not ids of an artist's things, and why. */
const notOwned: Record<string, string> = {
  platform: 'a network',
  token: 'a secret of 128 bits or a signature, which is the permission',
  form: 'which size of a picture',
  placeId: 'a place on the map',
  requestId: "the caller's idempotency key",
  sessionId: 'a checkout, which Stripe knows the customer of (subscribe.test.ts)',
}
const hasOtherPermission = (operation: string): boolean =>
  guardTable[operation] === 'admin' || operation.startsWith('GET /files/site-images/')

/** Names of the fields of a contract that contain ids. */
function idFields(schema: unknown): string[] {
  const found = schema as { _zod?: { def: ZodParts }; def?: ZodParts }
  const parts = found?._zod?.def ?? found?.def
  if (!parts) return []
  const direct =
    parts.type === 'object'
      ? Object.entries(parts.shape ?? {}).flatMap(([name, inner]) => [
          ...(/^_?ids?$|Ids?$/.test(name) ? [name] : []),
          ...idFields(inner),
        ])
      : []
  return [
    ...direct,
    ...[parts.innerType, parts.element, parts.in, parts.out, ...(parts.options ?? [])].flatMap((inner) =>
      inner === undefined ? [] : idFields(inner),
    ),
  ]
}
type ZodParts = {
  type: string
  shape?: Record<string, unknown>
  innerType?: unknown
  element?: unknown
  in?: unknown
  out?: unknown
  options?: unknown[]
}

describe("another artist's things", () => {
  let owner: Owner
  let other: Visitor
  let before: OwnedRows
  beforeAll(async () => {
    owner = await createOwner(app)
    other = await createArtist(app)
    before = await ownedRowsOf(app.client, owner.artist.id)
  }, 30_000)

  test('the tables contain every endpoint that takes an id', () => {
    const inputs = procedures as unknown as Record<string, { _def: { inputs: unknown[] } }>
    const takingIds = [
      ...restTable
        .filter((row) => [...row.path.matchAll(/:(\w+)/g)].some(([, name = '']) => !(name in notOwned)))
        .map((row) => `${row.method} ${row.path}`),
      ...Object.entries(inputs)
        .filter(([, { _def }]) => _def.inputs.flatMap(idFields).some((name) => !(name in notOwned)))
        .map(([name]) => name),
    ].filter((operation) => !hasOtherPermission(operation))
    const tested = new Set([...Object.keys(notFound), ...Object.keys(ignored), ...Object.keys(refused)])
    expect(
      takingIds.filter((operation) => !tested.has(operation)),
      "these take an id: add to a table above what they answer when it is another artist's",
    ).toEqual([])
  })

  const ask = async (
    operation: string,
    request: ReturnType<Ask>,
    who: Visitor = other,
  ): Promise<{ status: number; text: string }> => {
    const [method = '', path = ''] = operation.includes(' ')
      ? operation.split(' ')
      : procedures[operation]?._def.type === 'mutation'
        ? ['POST', `/trpc/${operation}`]
        : ['GET', `/trpc/${operation}?input=${encodeURIComponent(JSON.stringify(request.body))}`]
    const address = Object.entries(request.path ?? {}).reduce(
      (made, [name, value]) => made.replace(`:${name}`, encodeURIComponent(value)),
      path,
    )
    const tus = path.startsWith('/api/uploads') ? { 'tus-resumable': '1.0.0', 'upload-offset': '0' } : {}
    const type =
      method === 'PATCH' && path.startsWith('/api/uploads') ? 'application/offset+octet-stream' : 'application/json'
    const body =
      method === 'GET' ? {} : { headers: { 'content-type': type, ...tus }, body: JSON.stringify(request.body ?? {}) }
    const response = await who.fetch(address, { method, ...body })
    if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
      return { status: response.status, text: await response.text() }
    let text = ''
    for await (const chunk of response.body ?? []) {
      text += new TextDecoder().decode(chunk)
      if (/\ndata: .*"posts"/.test(text)) break
    }
    return { status: response.status, text }
  }

  test.each(Object.entries(notFound))('%s: 404', async (operation, of) => {
    expect((await ask(operation, of(owner))).status).toBe(404)
  })
  // Proves that a 404 above depends on the owner.
  test.each([
    'GET /files/media/:id/:form',
    'GET /files/page-pictures/:id/:file',
    'GET /files/posts/:postId/:position',
    'media.get',
    'posts.get',
    'drafts.get',
    'appointments.get',
  ])('%s finds them for their owner', async (operation) => {
    const of = notFound[operation]
    expect(of && (await ask(operation, of(owner), owner.artist)).status).toBe(200)
  })

  test.each(Object.entries(ignored))('%s ignores them', async (operation, of) => {
    const { status, text } = await ask(operation, of(owner))
    expect(status).toBeLessThan(500)
    for (const secret of ['Fresh flash', owner.artist.name, owner.artist.email]) expect(text).not.toContain(secret)
  })
  test.each(Object.entries(refused))('%s: refused', async (operation, of) => {
    expect([400, 404]).toContain((await ask(operation, of(owner))).status)
  })

  test('after all these calls nothing of the owner has changed', async () => {
    expect(await ownedRowsOf(app.client, owner.artist.id)).toEqual(before)
  })
})
