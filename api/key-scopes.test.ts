import { keyScopes, type KeyScope } from '@flashsheet/contracts/keys/limits'
import { grantsScope } from '@flashsheet/contracts/keys/rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { restTable } from './rest.ts'
import { createArtist, type Artist, type Visitor } from './testing/actors.ts'
import { startTestApp, type TestApp } from './testing/app.ts'
import { procedures, verdict } from './testing/guard-verdicts.ts'
import { createProgram } from './testing/keys.ts'

/** The endpoints (paths and procedures) that each scope opens. A key opens no others. */
const opened: Record<KeyScope | 'any', readonly string[]> = {
  any: [
    'GET /api/openapi.json',
    'GET /.well-known/oauth-protected-resource',
    'GET /.well-known/oauth-protected-resource/mcp',
    'GET /.well-known/oauth-authorization-server',
    'GET /api/me',
    'keys.caller',
    'GET /api/networks',
    'social.networks',
    'GET /api/subscriptions/plans',
    'subscription.plans',
    'GET /api/appointments/booked',
    'appointments.booked',
    'social.deletionStatus',
    'GET /files/public/:token',
    'GET /files/site-images/:id',
    'GET /files/site-images/:id/:form',
    'GET /files/gallery/:token/:form',
  ],
  'posts:read': [
    'GET /api/posts',
    'GET /api/posts/:postId',
    'GET /files/posts/:postId/:position',
    'GET /api/queue',
    'GET /api/queue/next',
    'posts.queue',
    'posts.nextSlots',
    'posts.slotFor',
    'GET /api/drafts',
    'GET /api/drafts/:draftId',
    'drafts.list',
    'drafts.get',
    'drafts.watch',
    'posts.list',
    'posts.calendar',
    'posts.allowances',
    'posts.mediaUses',
    'posts.endangered',
    'posts.get',
    'posts.candidates',
    'posts.watch',
  ],
  'posts:write': [
    'POST /api/posts',
    'POST /api/posts/schedule',
    'PUT /api/posts/:postId',
    'DELETE /api/posts/:postId',
    'POST /api/posts/:postId/retry',
    'POST /api/posts/:postId/publish',
    'POST /api/posts/:postId/duplicate',
    'PUT /api/queue',
    'posts.saveQueue',
    'POST /api/drafts',
    'PUT /api/drafts/:draftId',
    'DELETE /api/drafts/:draftId',
    'POST /api/drafts/:draftId/post',
    'drafts.create',
    'drafts.update',
    'drafts.remove',
    'drafts.post',
    'drafts.duplicate',
    'posts.cancel',
    'posts.create',
    'posts.schedule',
    'posts.update',
    'posts.publishNow',
    'posts.retry',
    'posts.markPosted',
    'posts.pickCandidate',
    'posts.postAgain',
    'posts.remove',
  ],
  'media:read': [
    'GET /api/media',
    'GET /api/media/:id',
    'GET /api/media/from-url/:jobId',
    'media.fromUrl',
    'GET /files/media/:id/:form',
    'media.list',
    'media.get',
    'media.forNetwork',
    'media.usage',
    'media.watch',
  ],
  'media:write': [
    'DELETE /api/media',
    'POST /api/media/upload',
    'POST /api/media/from-url',
    'media.addFromUrl',
    'OPTIONS /api/uploads',
    'POST /api/uploads',
    'PATCH /api/uploads/:id',
    'DELETE /api/uploads/:id',
    'GET /api/uploads/:id',
    'POST /api/uploads/:id/poster',
    'media.remove',
  ],
  'accounts:read': [
    'GET /api/socials',
    'GET /api/social-accounts',
    'GET /files/page-pictures/:id/:file',
    'social.platforms',
    'social.accounts',
    'social.creatorInfo',
  ],
  'site:read': [
    'GET /api/websitebuilder',
    'website.site',
    'website.kept',
    'website.gallery',
    'website.suggestPlaces',
    'website.findPlace',
    'website.checkDomainName',
    'website.links',
  ],
  'site:write': [
    'POST /api/websitebuilder',
    'POST /api/websitebuilder/gallery',
    'DELETE /api/websitebuilder/gallery/:id',
    'POST /api/websitebuilder/upload',
    'POST /api/websitebuilder/image',
    'POST /api/websitebuilder/preview',
    'website.save',
    'website.addToGallery',
    'website.removeFromGallery',
    'website.reorderGallery',
    'website.describeGalleryItem',
    'website.setFlash',
    'PUT /api/websitebuilder/gallery/:id/flash',
  ],
  'bookings:read': [
    'GET /api/appointments',
    'GET /api/availability',
    'appointments.list',
    'appointments.get',
    'appointments.kept',
    'appointments.availability',
    'appointments.setAside',
    'appointments.watch',
  ],
  'bookings:write': [
    'POST /api/appointments',
    'PUT /api/availability',
    'PUT /api/appointments/:id',
    'DELETE /api/appointments/:id',
    'appointments.create',
    'appointments.update',
    'appointments.remove',
    'appointments.saveAvailability',
    'appointments.notSpam',
  ],
  'numbers:read': [],
}

const operations = [...restTable.map((row) => `${row.method} ${row.path}`), ...Object.keys(procedures)]

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ role: 'web' })
})
afterAll(async () => await app.stop())

describe('every endpoint admits exactly the API keys of its scope', () => {
  const accessOf = (operation: string): KeyScope | 'any' | 'never' =>
    (Object.keys(opened) as (KeyScope | 'any')[]).find((access) => opened[access].includes(operation)) ?? 'never'
  /**
   * The keys to try at an endpoint, and whether it admits them. Scopes only add rights: an endpoint that refuses a key
   * with all other scopes also refuses a key with one of them.
   */
  const keysAt = (access: KeyScope | 'any' | 'never'): { scopes: readonly KeyScope[]; opens: boolean }[] => [
    { scopes: [], opens: access === 'any' },
    { scopes: keyScopes, opens: access !== 'never' },
    ...(access === 'any' || access === 'never'
      ? []
      : [
          { scopes: [access], opens: true },
          { scopes: keyScopes.filter((scope) => !grantsScope([scope], access)), opens: false },
        ]),
  ]
  const programs = new Map<string, Promise<Visitor>>()
  let artist: Artist
  beforeAll(async () => {
    artist = await createArtist(app)
  })
  /** A program with a key of exactly these scopes, created once. */
  const programWith = async (scopes: readonly KeyScope[]): Promise<Visitor> => {
    const name = scopes.join(' ')
    const program = programs.get(name) ?? createProgram(app, artist, scopes)
    programs.set(name, program)
    return await program
  }

  test('the table contains only endpoints that exist', () => {
    expect(
      Object.values(opened)
        .flat()
        .filter((operation) => !operations.includes(operation)),
    ).toEqual([])
  })

  test.each(operations)('%s', async (operation) => {
    const keys = keysAt(accessOf(operation))
    const found = await Promise.all(
      keys.map(async ({ scopes }) => ({
        scopes,
        opens: (await verdict(await programWith(scopes), operation)) !== '403 scope',
      })),
    )
    expect(found).toEqual(keys)
  })

  test('a refusal names the missing scope, over REST and tRPC', async () => {
    const program = await programWith(['media:read'])
    const refused = await program.get('/api/posts')
    expect(refused).toMatchObject({ status: 403, body: { code: 'scope', scope: 'posts:read' } })
    expect(refused.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope", scope="posts:read"')
    const procedure = await program.fetch('/trpc/posts.list?input=%7B%7D')
    expect(procedure.status).toBe(403)
    expect(await procedure.json()).toMatchObject({
      error: { data: { refusal: { code: 'scope', scope: 'posts:read' } } },
    })
  })

  test.each([
    ['deactivated', { active: false }, '403 deactivated'],
    ['unverified', { verified: false, plan: null }, '403 unverified'],
    ['leaving', { requestedDeletion: true }, '403 leaving'],
    ['unsubscribed', { plan: null }, '403 no_subscription'],
    ['on the smaller plan', { plan: 'social-line-work' }, '403 plan'],
  ] as const)('the guards hold for the key of an artist who is %s', async (_who, options, refusal) => {
    const program = await createProgram(app, await createArtist(app, options), keyScopes)
    expect(await verdict(program, 'GET /api/appointments')).toBe(refusal)
    expect(await verdict(program, 'appointments.list')).toBe(refusal)
  })
})
