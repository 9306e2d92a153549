import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { GuardName } from './core/guards.ts'
import { restTable } from './rest.ts'
import { appRouter } from './router.ts'
import { createArtist, type Visitor } from './testing/actors.ts'
import { startTestApp, type TestApp } from './testing/app.ts'

/** Who may ask what (wire: Guards). A path or procedure that is not in this table fails the test below. */
const expected: Record<string, GuardName> = {
  'POST /api/users': 'public',
  'POST /api/users/auth': 'public',
  'POST /api/users/logout': 'signedIn',
  'POST /api/users/verify-email': 'public',
  'POST /api/users/resend-verification': 'public',
  'POST /api/users/forgot-password': 'public',
  'POST /api/users/reset-password': 'public',
  'PUT /api/users/profile': 'verified',
  'GET /api/auth/google': 'public',
  'GET /api/auth/google/callback': 'public',
  'POST /api/subscriptions/create-checkout-session': 'verified',
  'GET /api/subscriptions/current': 'verified',
  'POST /api/subscriptions/cancel': 'verified',
  'POST /api/subscriptions/reactivate': 'verified',
  'GET /api/subscriptions/plans': 'public',
  'POST /api/webhooks/stripe': 'public',
  'POST /api/webhooks/tiktok': 'public',
  'POST /api/webhooks/meta/deauthorize': 'public',
  'POST /api/webhooks/meta/data-deletion': 'public',
  'GET /api/media': 'subscriber',
  'DELETE /api/media': 'subscriber',
  'POST /api/media/upload': 'subscriber',
  'OPTIONS /api/uploads': 'subscriber',
  'POST /api/uploads': 'subscriber',
  'PATCH /api/uploads/:id': 'subscriber',
  'DELETE /api/uploads/:id': 'subscriber',
  'GET /api/uploads/:id': 'subscriber',
  'POST /api/uploads/:id/poster': 'subscriber',
  'GET /files/media/:id/:form': 'signedIn',
  'GET /files/public/:token': 'public',
  'GET /files/posts/:postId/:position': 'signedIn',
  'POST /api/websitebuilder/gallery': 'studio',
  'DELETE /api/websitebuilder/gallery/:id': 'studio',
  'POST /api/websitebuilder/upload': 'studio',
  'GET /files/gallery/:token/:form': 'public',
  'GET /api/socials': 'subscriber',
  'GET /api/social-accounts': 'subscriber',
  'DELETE /api/social-accounts/:id': 'subscriber',
  'DELETE /api/social-accounts/:accountId/pages/:pageId': 'subscriber',
  'PUT /api/social-accounts/:id/token': 'subscriber',
  'GET /api/social-connect/:platform': 'subscriber',
  // Answers every caller with a redirect to a screen and a sentence.
  'GET /api/social-connect/:platform/callback': 'public',
  'GET /api/websitebuilder': 'studio',
  'POST /api/websitebuilder': 'studio',
  'POST /api/websitebuilder/image': 'studio',
  'POST /api/websitebuilder/preview': 'studio',
  'GET /files/site-images/:id': 'public',
  'GET /files/site-images/:id/:form': 'public',
  'GET /api/posts': 'subscriber',
  'POST /api/posts': 'subscriber',
  'POST /api/posts/schedule': 'subscriber',
  'PUT /api/posts/:postId': 'subscriber',
  'GET /api/admin/subscriptions/analytics': 'admin',
  'GET /api/admin/subscriptions/history': 'admin',
  'GET /api/admin/subscriptions/stats': 'admin',
  'GET /api/admin/users': 'admin',
  'GET /api/admin/users/:id': 'admin',
  'PUT /api/admin/users/:id': 'admin',
  'DELETE /api/admin/users/:id': 'admin',
  'PATCH /api/admin/users/:id/toggle-status': 'admin',
  'GET /api/appointments/booked': 'public',
  'GET /api/appointments': 'studio',
  'POST /api/appointments': 'public',
  'PUT /api/appointments/:id': 'studio',
  'DELETE /api/appointments/:id': 'studio',
  'auth.me': 'public',
  'auth.cast': 'public',
  'auth.signInWays': 'public',
  'auth.register': 'public',
  'auth.login': 'public',
  'auth.logout': 'signedIn',
  'auth.verifyEmail': 'public',
  'auth.resendVerification': 'public',
  'auth.forgotPassword': 'public',
  'auth.resetPassword': 'public',
  'auth.studioZone': 'verified',
  'auth.account': 'verified',
  'auth.updateProfile': 'verified',
  'auth.resendEmailChange': 'verified',
  'auth.cancelEmailChange': 'verified',
  'auth.sessions': 'verified',
  'auth.endSession': 'verified',
  'auth.endOtherSessions': 'verified',
  'auth.chooseStudioZone': 'verified',
  'auth.deleteAccount': 'verified',
  // For who is about to leave, and for nobody else.
  'auth.keepAccount': 'signedIn',
  'subscription.plans': 'public',
  'subscription.current': 'verified',
  'subscription.mine': 'verified',
  'subscription.createCheckout': 'verified',
  'subscription.confirm': 'verified',
  'subscription.cancel': 'verified',
  'subscription.reactivate': 'verified',
  'subscription.billing': 'verified',
  'subscription.openPortal': 'verified',
  'subscription.refresh': 'verified',
  'subscription.pay': 'verified',
  'media.list': 'subscriber',
  'media.get': 'subscriber',
  'media.usage': 'subscriber',
  'media.watch': 'subscriber',
  'media.remove': 'subscriber',
  'website.gallery': 'studio',
  'website.addToGallery': 'studio',
  'website.removeFromGallery': 'studio',
  'website.reorderGallery': 'studio',
  'website.describeGalleryItem': 'studio',
  'social.platforms': 'subscriber',
  'social.accounts': 'subscriber',
  'social.disconnect': 'subscriber',
  'social.removePage': 'subscriber',
  'social.refreshToken': 'subscriber',
  'social.creatorInfo': 'subscriber',
  'social.deletionStatus': 'public',
  'website.site': 'studio',
  'website.save': 'studio',
  'website.checkDomainName': 'studio',
  'website.suggestPlaces': 'studio',
  'website.findPlace': 'studio',
  'posts.list': 'subscriber',
  'posts.calendar': 'subscriber',
  'posts.allowances': 'subscriber',
  'posts.endangered': 'subscriber',
  'posts.get': 'subscriber',
  'posts.create': 'subscriber',
  'posts.schedule': 'subscriber',
  'posts.update': 'subscriber',
  'posts.publishNow': 'subscriber',
  'posts.retry': 'subscriber',
  'posts.remove': 'subscriber',
  'posts.watch': 'subscriber',
  'appointments.list': 'studio',
  'appointments.get': 'studio',
  'appointments.create': 'public',
  'appointments.update': 'studio',
  'appointments.remove': 'studio',
  'appointments.booked': 'public',
  'appointments.availability': 'studio',
  'appointments.saveAvailability': 'studio',
  'appointments.setAside': 'studio',
  'appointments.notSpam': 'studio',
  'appointments.watch': 'studio',
  'notices.list': 'verified',
  'notices.watch': 'verified',
  'notices.read': 'verified',
  'notices.readAll': 'verified',
  'notices.contact': 'public',
  'notices.mails': 'verified',
  'notices.chooseMail': 'verified',
  'admin.analytics': 'admin',
  'admin.growth': 'admin',
  'admin.history': 'admin',
  'admin.order': 'admin',
  'admin.stats': 'admin',
  'admin.users': 'admin',
  'admin.user': 'admin',
  'admin.list': 'admin',
  'admin.health': 'admin',
  'admin.audit': 'admin',
  'admin.updateUser': 'admin',
  'admin.deleteUser': 'admin',
  'admin.toggleStatus': 'admin',
}

const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: 'query' | 'mutation' | 'subscription' } }>

type Refusal = '401' | '403 deactivated' | '403 unverified' | '403 leaving' | '403 no_subscription' | '403 plan' | '403 admin'

const everybody = ['stranger', 'deactivated', 'unverified', 'leaving', 'unsubscribed', 'past due', 'smaller plan', 'studio', 'admin'] as const
type Who = (typeof everybody)[number]

/** How the guards refuse each kind of caller; nobody else is refused by them. */
const refusals: Record<GuardName, Partial<Record<Who, Refusal>>> = (() => {
  const signedIn = { stranger: '401', deactivated: '403 deactivated' } as const
  const verified = { ...signedIn, unverified: '403 unverified', leaving: '403 leaving' } as const
  const subscriber = { ...verified, unsubscribed: '403 no_subscription', 'past due': '403 no_subscription', admin: '403 no_subscription' } as const
  const notStaff = { unsubscribed: '403 admin', 'past due': '403 admin', 'smaller plan': '403 admin', studio: '403 admin' } as const
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
  const keep = (who: Who, make: () => Promise<Visitor>) => {
    let made: Promise<Visitor> | undefined
    callers.set(who, async () => await (made ??= make()))
  }
  keep('stranger', async () => await Promise.resolve(app.visitor()))
  keep('deactivated', async () => await createArtist(app, { active: false }))
  keep('unverified', async () => await createArtist(app, { verified: false, plan: null }))
  keep('leaving', async () => await createArtist(app, { leaving: true }))
  keep('unsubscribed', async () => await createArtist(app, { plan: null }))
  keep('past due', async () => await createArtist(app, { status: 'past_due' }))
  keep('smaller plan', async () => await createArtist(app, { plan: 'social-line-work' }))
  keep('studio', async () => await createArtist(app))
  keep('admin', async () => await createArtist(app, { plan: null, admin: true }))
})
afterAll(async () => await app.stop())

/** What the guards said: a refusal, or null when the caller was let through to whatever else is wrong. */
async function verdict(visitor: Visitor, door: string): Promise<Refusal | null> {
  const response = door.includes(' ') ? await askRest(visitor, door) : await askTrpc(visitor, door)
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) return await firstRefusal(response)
  const text = response.headers.get('content-type')?.includes('json') ? await response.text() : ''
  await response.body?.cancel().catch(() => undefined)
  if (response.status === 401) return '401'
  if (response.status !== 403) return null
  const body = JSON.parse(text) as { code?: string; error?: { data: { refusal: { code: string } } } }
  return `403 ${body.code ?? body.error?.data.refusal.code}` as Refusal
}

/** A stream of events has answered 200 before it is refused; the refusal is its first event after the greeting. */
async function firstRefusal(response: Response): Promise<Refusal | null> {
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += new TextDecoder().decode(chunk)
    const event = /event: serialized-error\ndata: (.*)\n/.exec(text)
    if (event) {
      const error = JSON.parse(event[1] ?? '{}') as { data: { httpStatus: number; refusal: { code: string } } }
      return (error.data.httpStatus === 401 ? '401' : `403 ${error.data.refusal.code}`) as Refusal
    }
    if (/\ndata: .*"(posts|notices|library)"/.test(text)) return null
    if (/\ndata: .*"(posts|notices|appointments)"/.test(text)) return null
  }
  return null
}

async function askRest(visitor: Visitor, door: string): Promise<Response> {
  const [method = '', path = ''] = door.split(' ')
  return await visitor.fetch(path.replace(':platform', 'facebook').replaceAll(/:\w+/g, '00000000-0000-7000-8000-000000000000'), { method })
}

async function askTrpc(visitor: Visitor, name: string): Promise<Response> {
  return procedures[name]?._def.type === 'mutation'
    ? await visitor.fetch(`/trpc/${name}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })
    : await visitor.fetch(`/trpc/${name}?input=%7B%7D`)
}

test('the table names every path and every procedure, and nothing else', () => {
  const doors = [...restTable.map((row) => `${row.method} ${row.path}`), ...Object.keys(procedures)]
  expect(Object.keys(expected).sort()).toEqual(doors.sort())
})

describe('every door lets in whom it should, and nobody else', () => {
  // Wrong log-ins answer 401 of their own.
  const own401 = new Set(['POST /api/users/auth', 'auth.login'])
  const doors = Object.entries(expected).filter(([door]) => !own401.has(door))
  // Ending the session would change who is asking.
  const endsSession = new Set(['POST /api/users/logout', 'auth.logout', 'auth.endOtherSessions', 'auth.keepAccount'])
  test.each(doors)('%s is for %s', async (door, guard) => {
    const said: Partial<Record<Who, Refusal>> = {}
    for (const who of everybody) {
      const isRefused = refusals[guard][who] !== undefined
      if (endsSession.has(door) && !isRefused) continue
      const visitor = await callers.get(who)?.()
      const answer = visitor && (await verdict(visitor, door))
      if (answer) said[who] = answer
    }
    expect(said).toEqual(refusals[guard])
  })
})
