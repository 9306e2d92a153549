import { defaultAvailability } from '@flashsheet/contracts/appointments/limits'
import { studioPlan } from '@flashsheet/contracts/plans'

/** The ids of things, which are the same in all examples. */
export const exampleIds = {
  media: '0190a0a0-1111-7000-8000-000000000001',
  account: '0190a0a0-2222-7000-8000-000000000002',
  variant: '0190a0a0-3333-7000-8000-000000000003',
  post: '0190a0a0-4444-7000-8000-000000000004',
  draft: '0190a0a0-5555-7000-8000-000000000005',
  artist: '0190a0a0-6666-7000-8000-000000000006',
  event: '0190a0a0-7777-7000-8000-000000000007',
  other: '0190a0a0-8888-7000-8000-000000000008',
} as const
const mediaId = exampleIds.media
export const examplePlan = studioPlan.id

export const exampleVariant = {
  platform: 'facebook' as const,
  socialAccountId: exampleIds.account,
  pageId: '1029384756',
  message: 'Fresh flash: three daggers left.',
}
const variant = exampleVariant
const person = { name: 'Mara Quill', email: 'mara@example.com' }
const at = '2030-05-01T16:00:00Z'

/**
 * An example of the body of each operation that takes JSON or a form without files, by the method and path of its row.
 * `api/openapi.test.ts` parses each with the row's schema.
 */
export const bodyExamples: Record<string, object> = {
  'POST /api/users': { ...person, password: 'a good long password', timeZone: 'America/New_York' },
  'POST /api/users/auth': { email: person.email, password: 'a good long password' },
  'POST /api/users/verify-email': { token: 'b3Vy-token-of-the-mail' },
  'POST /api/users/resend-verification': { email: person.email },
  'POST /api/users/forgot-password': { email: person.email },
  'POST /api/users/reset-password': { token: 'b3Vy-token-of-the-mail', newPassword: 'a better long password' },
  'PUT /api/users/profile': { _id: exampleIds.artist, name: 'Mara Quill-Okafor' },
  'POST /api/subscriptions/create-checkout-session': { plan: examplePlan },
  'PUT /api/admin/users/:id': { isActive: false },
  'POST /oauth/register': { client_name: 'Quill', redirect_uris: ['http://127.0.0.1:33418/callback'] },
  'POST /oauth/token': { grant_type: 'refresh_token', refresh_token: 'fsr_9sLq…', client_id: exampleIds.other },
  'POST /oauth/revoke': { token: 'fsr_9sLq…' },
  'POST /api/keys': { name: 'Backup script', scopes: ['posts:read', 'media:read'], expiresAt: '2030-01-01T00:00:00Z' },
  'POST /api/webhook-endpoints': {
    url: 'https://example.com/flashsheet',
    events: ['post.posted', 'post.failed'],
    description: 'Tells the shop’s chat',
  },
  'PUT /api/webhook-endpoints/:id': { events: ['post.failed'], active: true },
  'DELETE /api/media': { ids: [mediaId] },
  'POST /api/media/from-url': { url: 'https://example.com/dagger.jpg' },
  'POST /api/websitebuilder': { personalInfo: { name: 'Quill & Needle', domainName: 'quill-and-needle' } },
  'POST /api/websitebuilder/gallery': { ids: [mediaId] },
  'PUT /api/websitebuilder/gallery/:id/flash': { flash: { title: 'Dagger and rose', price: '$180', isTaken: false } },
  'POST /api/posts': { mediaIds: [mediaId], variants: [variant] },
  'POST /api/posts/schedule': { mediaIds: [mediaId], variants: [variant], scheduledAt: at },
  'PUT /api/posts/:postId': { scheduledAt: at },
  'POST /api/posts/:postId/retry': { variantId: exampleIds.variant },
  'PUT /api/queue': { timeZone: 'America/New_York', paused: false, slots: [{ days: [1, 3, 5], time: '17:30' }] },
  'POST /api/drafts': { title: 'Daggers', mediaIds: [mediaId], variants: [variant] },
  'PUT /api/drafts/:draftId': { version: 3, title: 'Daggers and roses' },
  'POST /api/drafts/:draftId/post': { when: 'next-slot' },
  'PUT /api/availability': defaultAvailability,
  'POST /api/appointments': {
    domainName: 'quill-and-needle',
    bookingType: '1 Hour Booking',
    timeSlot: '1:00pm-2:00pm',
    date: '2030-05-01',
    contact: { name: 'Ida Berg', email: 'ida@example.com' },
    notes: 'A small dagger on the forearm',
  },
  'PUT /api/appointments/:id': { status: 'confirmed' },
}
