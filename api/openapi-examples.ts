import { defaultAvailability } from '@flashsheet/contracts/appointments/limits'

const mediaId = '0190a0a0-1111-7000-8000-000000000001'
const accountId = '0190a0a0-2222-7000-8000-000000000002'

const variant = {
  platform: 'facebook',
  socialAccountId: accountId,
  pageId: '1029384756',
  message: 'Fresh flash: three daggers left.',
}
const at = '2030-05-01T16:00:00Z'

/** A body for each operation that takes JSON, by the method and path of its row. `api/openapi.test.ts` parses each with the row's schema. */
export const bodyExamples: Record<string, object> = {
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
  'POST /api/posts/:postId/retry': { variantId: '0190a0a0-3333-7000-8000-000000000003' },
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
