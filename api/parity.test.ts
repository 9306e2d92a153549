import type { SaveSite } from '@flashsheet/contracts/website/schema'
import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArtist, type Artist, type Visitor } from './testing/actors.ts'
import { startTestApp, type TestApp } from './testing/app.ts'
import { accountsWithPictures, connect } from './testing/connect.ts'
import { asAnswer, parityCase, isForbidden, unknownId, type Case } from './testing/parity-case.ts'
import { ownPost, postCases } from './testing/post-parity-cases.ts'
import { webhookCases } from './testing/webhook-parity-cases.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(async () => await app.stop())

type SaveInput = z.input<typeof SaveSite>

const isArtist = (visitor: Visitor): visitor is Artist => 'email' in visitor

const login = { email: 'nobody@studio.example', password: 'wrong password' }

const unknownBooking = {
  domainName: 'nobody-here',
  bookingType: '1 Hour Booking' as const,
  timeSlot: '9:00am-10:00am' as const,
  date: '2099-01-01',
  contact: { email: 'ida@home.example' },
}

async function ownSite(artist: Artist): Promise<string> {
  const domainName = `parity-${randomUUID().slice(-12)}`
  await artist.post('/api/websitebuilder', { personalInfo: { name: 'P', domainName } })
  return domainName
}

const cases: Case<never>[] = [
  ...postCases(() => app),
  parityCase(
    'register with nothing',
    async (v) => await v.post('/api/users', {}),
    async (v) => await v.trpc.auth.register.mutate({} as never),
  ),
  parityCase(
    'register',
    async (v) =>
      await v.post('/api/users', { name: 'P', email: `rest-${randomUUID()}@studio.example`, password: 'a password' }),
    async (v) =>
      await v.trpc.auth.register.mutate({
        name: 'P',
        email: `trpc-${randomUUID()}@studio.example`,
        password: 'a password',
      }),
  ),
  parityCase(
    'log in wrongly',
    async (v) => await v.post('/api/users/auth', login),
    async (v) => await v.trpc.auth.login.mutate(login),
  ),
  parityCase<{ email: string; password: string }>(
    'log in',
    async (v, own) => await v.post('/api/users/auth', own),
    async (v, own) => await v.trpc.auth.login.mutate(own),
    async (artist) => ({ email: artist.email, password: 'a good long password' }),
  ),
  parityCase(
    'log out',
    async (v) => await v.post('/api/users/logout'),
    async (v) => await v.trpc.auth.logout.mutate(),
  ),
  parityCase(
    'verify with a wrong token',
    async (v) => await v.post('/api/users/verify-email', { token: 'wrong' }),
    async (v) => await v.trpc.auth.verifyEmail.mutate({ token: 'wrong' }),
  ),
  parityCase(
    'verify without a token',
    async (v) => await v.post('/api/users/verify-email', { token: ' ' }),
    async (v) => await v.trpc.auth.verifyEmail.mutate({ token: ' ' }),
  ),
  parityCase(
    'resend the verification',
    async (v) => await v.post('/api/users/resend-verification', { email: 'x@studio.example' }),
    async (v) => await v.trpc.auth.resendVerification.mutate({ email: 'x@studio.example' }),
  ),
  parityCase(
    'forget nothing',
    async (v) => await v.post('/api/users/forgot-password', {}),
    async (v) => await v.trpc.auth.forgotPassword.mutate({} as never),
  ),
  parityCase(
    'forget the password',
    async (v) => await v.post('/api/users/forgot-password', { email: 'x@studio.example' }),
    async (v) => await v.trpc.auth.forgotPassword.mutate({ email: 'x@studio.example' }),
  ),
  parityCase(
    'reset nothing',
    async (v) => await v.post('/api/users/reset-password', {}),
    async (v) => await v.trpc.auth.resetPassword.mutate({} as never),
  ),
  parityCase(
    'reset with a wrong token',
    async (v) => await v.post('/api/users/reset-password', { token: 'wrong', newPassword: 'a password' }),
    async (v) => await v.trpc.auth.resetPassword.mutate({ token: 'wrong', newPassword: 'a password' }),
  ),
  parityCase(
    "change somebody else's profile",
    async (v) => await v.put('/api/users/profile', { _id: unknownId, name: 'P' }),
    async (v) => await v.trpc.auth.updateProfile.mutate({ _id: unknownId, name: 'P' }),
  ),
  parityCase(
    'change the profile wrongly',
    async (v) => await v.put('/api/users/profile', { name: '', email: 'x', password: '1' }),
    async (v) => await v.trpc.auth.updateProfile.mutate({ name: '', email: 'x', password: '1' } as never),
  ),
  parityCase<{ _id: string }>(
    'change the password without the current one',
    async (v, own) => await v.put('/api/users/profile', { ...own, password: 'another password' }),
    async (v, own) => await v.trpc.auth.updateProfile.mutate({ ...own, password: 'another password' }),
    async (artist) => ({ _id: artist.id }),
  ),
  parityCase<{ _id: string; currentPassword: string }>(
    'change the profile',
    async (v, own) => await v.put('/api/users/profile', { ...own, name: 'P', password: 'another password' }),
    async (v, own) => await v.trpc.auth.updateProfile.mutate({ ...own, name: 'P', password: 'another password' }),
    async (artist) => ({ _id: artist.id, currentPassword: artist.password }),
  ),
  parityCase(
    'keys',
    async (v) => await v.get('/api/keys'),
    async (v) => await v.trpc.keys.list.query(),
  ),
  parityCase(
    'make a key without a name',
    async (v) => await v.post('/api/keys', {}),
    async (v) => await v.trpc.keys.create.mutate({} as never),
  ),
  parityCase(
    'make a key',
    async (v) => await v.post('/api/keys', { name: 'Mine', scopes: ['posts:read'] }),
    async (v) => await v.trpc.keys.create.mutate({ name: 'Mine', scopes: ['posts:read'] }),
  ),
  parityCase(
    'revoke an unknown key',
    async (v) => await v.delete(`/api/keys/${unknownId}`),
    async (v) => await v.trpc.keys.revoke.mutate({ id: unknownId }),
  ),
  parityCase(
    'who calls',
    async (v) => await v.get('/api/me'),
    async (v) => await v.trpc.keys.caller.query(),
  ),
  parityCase(
    'media',
    async (v) => await v.get('/api/media'),
    async (v) => await v.trpc.media.list.query(),
  ),
  parityCase(
    'delete no media',
    async (v) => await v.delete('/api/media', { ids: [] }, { 'content-type': 'application/json' }),
    async (v) => await v.trpc.media.remove.mutate({ ids: [] }),
  ),
  parityCase(
    'delete unknown media',
    async (v) => await v.delete('/api/media', { ids: [unknownId] }),
    async (v) => await v.trpc.media.remove.mutate({ ids: [unknownId] }),
  ),
  parityCase(
    'add no media to the gallery',
    async (v) => await v.post('/api/websitebuilder/gallery', { ids: [] }),
    async (v) => await v.trpc.website.addToGallery.mutate({ ids: [] }),
  ),
  parityCase(
    'add unknown media to the gallery',
    async (v) => await v.post('/api/websitebuilder/gallery', { ids: [unknownId] }),
    async (v) => await v.trpc.website.addToGallery.mutate({ ids: [unknownId] }),
  ),
  parityCase<{ ids: string[] }>(
    'add to the gallery',
    async (v, own) => await v.post('/api/websitebuilder/gallery', own),
    async (v, own) => await v.trpc.website.addToGallery.mutate(own),
    async (artist) => ({ ids: (await ownPost(app, artist)).mediaIds }),
  ),
  parityCase(
    'take what is not in the gallery out of it',
    async (v) => await v.delete(`/api/websitebuilder/gallery/${unknownId}`),
    async (v) => await v.trpc.website.removeFromGallery.mutate({ ids: [unknownId] }),
  ),
  parityCase(
    'the website',
    async (v) => await v.get('/api/websitebuilder'),
    async (v) => await v.trpc.website.site.query(),
  ),
  parityCase(
    'save a website without a name',
    async (v) => await v.post('/api/websitebuilder', { address: { city: 'Austin' } }),
    async (v) => await v.trpc.website.save.mutate({ address: { city: 'Austin' } } as never),
  ),
  parityCase(
    'save a website with a reserved name',
    async (v) => await v.post('/api/websitebuilder', { personalInfo: { name: 'Ada', domainName: 'admin' } }),
    async (v) => await v.trpc.website.save.mutate({ personalInfo: { name: 'Ada', domainName: 'admin' } }),
  ),
  parityCase(
    'save a website',
    async (v, info: SaveInput) => await v.post('/api/websitebuilder', info),
    async (v, info: SaveInput) => await v.trpc.website.save.mutate(info),
    async (artist) =>
      await Promise.resolve({
        personalInfo: { name: 'Ada', domainName: `parity-${artist.id.slice(-12)}` },
        branding: { textColor: '#FFF' },
      }),
  ),
  parityCase(
    'what networks take',
    async (v) => await v.get('/api/networks'),
    async (v) => await v.trpc.social.networks.query(),
  ),
  parityCase(
    'networks',
    async (v) => await v.get('/api/socials'),
    async (v) => await v.trpc.social.platforms.query(),
  ),
  parityCase<null>(
    'accounts',
    async (v) => await v.get('/api/social-accounts'),
    async (v) => await v.trpc.social.accounts.query(),
    async (artist) => {
      await connect(app, artist, 'instagram')
      // The two answers could differ while a job copies the picture.
      await accountsWithPictures(artist)
      return null
    },
  ),
  parityCase(
    'disconnect an unknown account',
    async (v) => await v.delete(`/api/social-accounts/${unknownId}`),
    async (v) => await v.trpc.social.disconnect.mutate({ id: unknownId }),
  ),
  parityCase(
    'plans',
    async (v) => await v.get('/api/subscriptions/plans'),
    async (v) => await v.trpc.subscription.plans.query(),
  ),
  parityCase(
    'the subscription',
    async (v) => await v.get('/api/subscriptions/current'),
    async (v) => await v.trpc.subscription.current.query(),
  ),
  parityCase(
    'cancel the subscription',
    async (v) => await v.post('/api/subscriptions/cancel'),
    async (v) => await v.trpc.subscription.cancel.mutate(),
  ),
  parityCase(
    'reactivate the subscription',
    async (v) => await v.post('/api/subscriptions/reactivate'),
    async (v) => await v.trpc.subscription.reactivate.mutate(),
  ),
  parityCase(
    'check out no plan',
    async (v) => await v.post('/api/subscriptions/create-checkout-session', { plan: 'gold' }),
    async (v) => await v.trpc.subscription.createCheckout.mutate({ plan: 'gold' as never }),
  ),
  parityCase(
    'check out',
    async (v) => await v.post('/api/subscriptions/create-checkout-session', { plan: 'complete-shading' }),
    async (v) => await v.trpc.subscription.createCheckout.mutate({ plan: 'complete-shading' }),
  ),
  parityCase(
    'posts',
    async (v) => await v.get('/api/posts'),
    async (v) => await v.trpc.posts.list.query({}),
  ),
  parityCase(
    'posts with an absurd limit',
    async (v) => await v.get('/api/posts?limit=5000'),
    async (v) => await v.trpc.posts.list.query({ limit: 5000 }),
  ),
  parityCase(
    'read an unknown item',
    async (v) => await v.get(`/api/media/${unknownId}`),
    async (v) => await v.trpc.media.get.query({ id: unknownId }),
  ),
  parityCase(
    'a picture from an address inside',
    async (v) => await v.post('/api/media/from-url', { url: 'https://127.0.0.1/a.jpg' }),
    async (v) => await v.trpc.media.addFromUrl.mutate({ url: 'https://127.0.0.1/a.jpg' }),
  ),
  parityCase(
    'what became of an unknown fetch',
    async (v) => await v.get(`/api/media/from-url/${unknownId}`),
    async (v) => await v.trpc.media.fromUrl.query({ jobId: unknownId }),
  ),
  parityCase(
    'posts behind an impossible cursor',
    async (v) => await v.get('/api/posts?cursor=x'),
    async (v) => await v.trpc.posts.list.query({ cursor: 'x' }),
  ),
  parityCase(
    'change an unknown post',
    async (v) => await v.put(`/api/posts/${unknownId}`, { scheduledAt: '2099-01-01T09:30:00.000Z' }),
    async (v) => await v.trpc.posts.update.mutate({ postId: unknownId, scheduledAt: '2099-01-01T09:30:00.000Z' }),
  ),
  parityCase(
    'admin: analytics',
    async (v) => await v.get('/api/admin/subscriptions/analytics'),
    async (v) => await v.trpc.admin.analytics.query(),
  ),
  parityCase(
    'admin: stats',
    async (v) => await v.get('/api/admin/subscriptions/stats'),
    async (v) => await v.trpc.admin.stats.query(),
  ),
  parityCase(
    'admin: users',
    async (v) => await v.get('/api/admin/users?page=1&limit=2&sortBy=createdAt&sortOrder=asc'),
    async (v) => await v.trpc.admin.users.query({ page: 1, limit: 2, sortBy: 'createdAt', sortOrder: 'asc' }),
  ),
  parityCase(
    'admin: users by an unknown key',
    async (v) => await v.get('/api/admin/users?sortBy=password'),
    async (v) => await v.trpc.admin.users.query({ sortBy: 'password' as never }),
  ),
  parityCase(
    'admin: history',
    async (v) => await v.get('/api/admin/subscriptions/history?plan=complete-shading&search=x'),
    async (v) => await v.trpc.admin.history.query({ plan: 'complete-shading', search: 'x' }),
  ),
  parityCase(
    'admin: nobody',
    async (v) => await v.get(`/api/admin/users/${unknownId}`),
    async (v) => await v.trpc.admin.user.query({ id: unknownId }),
  ),
  parityCase(
    'admin: change nobody',
    async (v) => await v.put(`/api/admin/users/${unknownId}`, { name: 'X' }),
    async (v) => await v.trpc.admin.updateUser.mutate({ id: unknownId, name: 'X' }),
  ),
  parityCase(
    'admin: delete nobody',
    async (v) => await v.delete(`/api/admin/users/${unknownId}`),
    async (v) => await v.trpc.admin.deleteUser.mutate({ id: unknownId }),
  ),
  parityCase(
    'admin: toggle nobody',
    async (v) => await v.fetch(`/api/admin/users/${unknownId}/toggle-status`, { method: 'PATCH' }).then(asAnswer),
    async (v) => await v.trpc.admin.toggleStatus.mutate({ id: unknownId }),
  ),
  parityCase(
    'appointments',
    async (v) => await v.get('/api/appointments'),
    async (v) => await v.trpc.appointments.list.query({}),
  ),
  parityCase(
    'book nothing',
    async (v) => await v.post('/api/appointments', {}),
    async (v) => await v.trpc.appointments.create.mutate({} as never),
  ),
  parityCase(
    'book at an unknown site',
    async (v) => await v.post('/api/appointments', unknownBooking),
    async (v) => await v.trpc.appointments.create.mutate(unknownBooking),
  ),
  parityCase<typeof unknownBooking>(
    'book',
    async (v, input) => await v.post('/api/appointments', input),
    async (v, input) => await v.trpc.appointments.create.mutate(input),
    async (artist) => ({ ...unknownBooking, domainName: await ownSite(artist) }),
  ),
  parityCase<{ domainName?: string }>(
    'booked hours',
    async (v, { domainName = 'nobody-here' }) =>
      await v.get(`/api/appointments/booked?domainName=${domainName}&date=2099-01-01`),
    async (v, { domainName = 'nobody-here' }) =>
      await v.trpc.appointments.booked.query({ domainName, date: '2099-01-01' }),
    async (artist) => ({ domainName: await ownSite(artist) }),
  ),
  parityCase(
    'change an unknown appointment',
    async (v) => await v.put(`/api/appointments/${unknownId}`, { status: 'confirmed' }),
    async (v) => await v.trpc.appointments.update.mutate({ id: unknownId, status: 'confirmed' }),
  ),
  parityCase(
    'change an appointment wrongly',
    async (v) => await v.put(`/api/appointments/${unknownId}`, { status: 'lost', date: 'soon' }),
    async (v) => await v.trpc.appointments.update.mutate({ id: unknownId, status: 'lost', date: 'soon' } as never),
  ),
  parityCase(
    'delete an unknown appointment',
    async (v) => await v.delete(`/api/appointments/${unknownId}`),
    async (v) => await v.trpc.appointments.remove.mutate({ id: unknownId }),
  ),
  ...webhookCases,
]

describe('REST and tRPC give the same answer to the same request', () => {
  const actors = {
    'a stranger': async () => app.visitor(),
    'an unverified artist': async () => await createArtist(app, { verified: false, plan: null }),
    'an artist without a subscription': async () => await createArtist(app, { plan: null }),
    'an artist whose payment failed': async () => await createArtist(app, { status: 'past_due' }),
    'a subscribed artist': async () => await createArtist(app),
    'an admin': async () => await createArtist(app, { plan: null, admin: true }),
  }
  for (const [who, make] of Object.entries(actors)) {
    describe(who, () => {
      // Two equal actors, one for each API, because a call changes data. A forbidden call changes nothing.
      const unchanged: [Visitor, Visitor][] = []
      // To every other call an admin is an artist without a subscription.
      const asked = cases.filter((one) => who !== 'an admin' || one.name.startsWith('admin: '))
      test.each(asked.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
        const [first, second] = unchanged.pop() ?? [await make(), await make()]
        const settings = await Promise.all(
          [first, second].map(async (visitor) =>
            one.setting && isArtist(visitor) && who === 'a subscribed artist'
              ? await one.setting(visitor)
              : { ...login },
          ),
        )
        const rest = await one.rest(first, settings[0] as never)
        const trpc = await one.trpc(second, settings[1] as never)
        expect(trpc).toEqual(rest)
        if (isForbidden(rest) && !one.setting) unchanged.push([first, second])
      })
    })
  }
})
