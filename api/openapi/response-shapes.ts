import { defaultAvailability } from '@flashsheet/contracts/appointments/limits'
import { Appointment, FreeTime, OwnHours } from '@flashsheet/contracts/appointments/schema'
import { IssuedTokens, RegisteredClient } from '@flashsheet/contracts/assistants/schema'
import { authMessages } from '@flashsheet/contracts/auth/messages'
import { Message, UserInfo } from '@flashsheet/contracts/auth/schema'
import { Draft } from '@flashsheet/contracts/drafts/schema'
import { ErrorBody } from '@flashsheet/contracts/errors/schema'
import { ApiKey, Deleted, Me, NewApiKey } from '@flashsheet/contracts/keys/schema'
import { DeletedCount, FromUrlJob, FromUrlState, MediaInUse, MediaItem } from '@flashsheet/contracts/media/schema'
import { Post, PostResult } from '@flashsheet/contracts/posts/schema'
import { FreeSlot, Queue } from '@flashsheet/contracts/queue/schema'
import { Network, PlatformDescriptor, SocialAccount } from '@flashsheet/contracts/social/schema'
import { CheckoutSession, Plan, Subscription } from '@flashsheet/contracts/subscription/schema'
import {
  NewWebhookEndpoint,
  WebhookAccount,
  WebhookAppointment,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookEndpoint,
  WebhookPing,
  WebhookPost,
  WebhookSecret,
  WebhookSent,
} from '@flashsheet/contracts/webhooks/schema'
import { Gallery, GalleryItem, Site, SiteImage } from '@flashsheet/contracts/website/schema'
import { z } from 'zod'
import { adminMessages } from '@flashsheet/contracts/admin/messages'
import { appointmentMessages } from '@flashsheet/contracts/appointments/messages'
import { socialMessages } from '@flashsheet/contracts/social/messages'
import { shape, type Shape } from './shape.ts'
import { staffShapes } from './staff-shapes.ts'
import { networkView } from '../features/social/view.ts'
import { planList } from '../features/subscription/view.ts'
import { exampleIds as ids, examplePlan, exampleVariant as variant } from './body-examples.ts'

const made = '2030-04-28T09:12:44.000Z'
export const exampleTime = '2030-05-01T16:00:00.000Z'
const artist = { _id: ids.artist, name: 'Mara Quill', email: 'mara@example.com' }

const item: MediaItem = {
  _id: ids.media,
  type: 'image',
  url: `/files/media/${ids.media}/display`,
  thumbnailUrl: `/files/media/${ids.media}/thumbnail`,
  fileName: 'dagger.jpg',
  name: 'dagger',
  mimeType: 'image/jpeg',
  size: 2_481_533,
  createdAt: made,
  dimensions: { width: 3024, height: 4032 },
  duration: null,
  encoding: null,
}
const content = { ...variant, title: '', options: {} }
const draft: Draft = {
  _id: ids.draft,
  version: 3,
  title: 'Daggers',
  mediaIds: [ids.media],
  variants: [content],
  scheduledAt: null,
  createdAt: made,
  updatedAt: made,
}
const apiKey: ApiKey = {
  _id: ids.other,
  name: 'Backup script',
  prefix: 'fs_live_4hT9',
  scopes: ['posts:read', 'media:read'],
  createdAt: made,
  lastUsedAt: null,
  expiresAt: '2030-12-31T00:00:00.000Z',
}
const endpoint: WebhookEndpoint = {
  _id: ids.other,
  url: 'https://example.com/flashsheet',
  events: ['post.posted', 'post.failed'],
  description: 'Tells the shop’s chat',
  active: true,
  createdAt: made,
  disabledAt: null,
  disabledReason: null,
  lastDelivery: { at: exampleTime, state: 'delivered' },
}
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const attempt = { at: exampleTime, status: 204, ms: 84, error: null }
const delivery: WebhookDelivery = {
  _id: ids.other,
  eventId: ids.event,
  type: 'post.posted',
  at: exampleTime,
  attempts: [attempt],
  state: 'delivered',
  nextAt: null,
}
const siteImage: SiteImage = {
  url: '/files/site-images/Zk3rT0aJw9QeUu5cVh1B2g',
  fileName: 'logo.png',
  size: 48_213,
  uploadedAt: made,
}

export const examplePost: Post = {
  _id: ids.post,
  status: 'posted',
  scheduledAt: exampleTime,
  updatedAt: exampleTime,
  errorMessage: null,
  mediaIds: [ids.media],
  media: [
    {
      _id: ids.media,
      type: 'image',
      url: item.url,
      thumbnailUrl: item.thumbnailUrl,
      fileName: item.fileName,
      name: item.name,
    },
  ],
  variants: [
    {
      ...content,
      _id: ids.variant,
      postId: ids.post,
      pageName: 'Quill & Needle',
      status: 'posted',
      phase: 'posted',
      progress: null,
      errorMessage: null,
      nextTryAt: null,
      mayBeThere: null,
      pageUrl: null,
      permalink: 'https://www.facebook.com/1029384756_5647382910',
    },
  ],
}

export const exampleAccount: SocialAccount = {
  _id: ids.account,
  platform: 'facebook',
  providerName: 'Mara Quill',
  providerUserId: '1122334455',
  health: 'ok',
  reconnectBy: null,
  pages: [
    {
      pageId: variant.pageId,
      name: 'Quill & Needle',
      username: 'quillandneedle',
      picture: `/files/page-pictures/${ids.account}/0123456789abcdef.webp`,
      connectedAt: made,
    },
  ],
}

export const exampleAppointment: Appointment = {
  _id: ids.other,
  domainName: 'quill-and-needle',
  bookingType: '1 Hour Booking',
  timeSlot: '1:00pm-2:00pm',
  date: '2030-05-01T17:00:00.000Z',
  endsAt: '2030-05-01T18:00:00.000Z',
  status: 'confirmed',
  notes: 'A small dagger on the forearm',
  contact: { name: 'Ida Berg', email: 'ida@example.com', phone: '' },
  answerBy: null,
  createdAt: made,
}

/** `api/openapi.test.ts` parses each example with its contract. */
const shapes: Readonly<Record<string, Shape>> = {
  ErrorBody: shape(ErrorBody),
  Message: shape(Message),
  UserInfo: shape(UserInfo, { ...artist, isAdmin: false, isActive: true, isEmailVerified: true }),
  Me: shape(Me, { ...artist, plan: examplePlan, timeZone: 'America/New_York', scopes: ['posts:write'] }),
  ApiKey: shape(ApiKey, apiKey),
  NewApiKey: shape(NewApiKey, { ...apiKey, key: 'fs_test_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcd0omAup' }),
  Deleted: shape(Deleted, { deleted: true }),
  RegisteredClient: shape(RegisteredClient, {
    client_id: ids.other,
    client_id_issued_at: 1_903_684_364,
    client_name: 'Quill',
    redirect_uris: ['http://127.0.0.1:33418/callback'],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  }),
  IssuedTokens: shape(IssuedTokens, {
    access_token: 'fsa_2vJx…',
    token_type: 'Bearer',
    expires_in: 3600,
    refresh_token: 'fsr_9sLq…',
    scope: 'posts:write media:write accounts:read',
  }),
  WebhookEndpoint: shape(WebhookEndpoint, endpoint),
  NewWebhookEndpoint: shape(NewWebhookEndpoint, { ...endpoint, lastDelivery: null, secret }),
  WebhookSecret: shape(WebhookSecret, { secret }),
  WebhookSent: shape(WebhookSent, { _id: ids.other }),
  WebhookDelivery: shape(WebhookDelivery, delivery),
  WebhookDeliveryDetail: shape(WebhookDeliveryDetail, {
    ...delivery,
    attempts: [{ ...attempt, answer: '' }],
    body: `{"type":"post.posted","timestamp":"${exampleTime}","data":{"_id":"${ids.post}"}}`,
  }),
  WebhookPing: shape(WebhookPing),
  WebhookPost: shape(WebhookPost),
  WebhookAccount: shape(WebhookAccount),
  WebhookAppointment: shape(WebhookAppointment),
  Plan: shape(Plan, planList()[0]),
  Subscription: shape(Subscription, {
    plan: examplePlan,
    status: 'active',
    currentPeriodStart: made,
    currentPeriodEnd: '2030-05-28T09:12:44.000Z',
    cancelAtPeriodEnd: false,
  }),
  CheckoutSession: shape(CheckoutSession, { url: 'https://checkout.stripe.com/c/pay/cs_live_a1B2' }),
  MediaItem: shape(MediaItem, item),
  FromUrlJob: shape(FromUrlJob, { _id: ids.media }),
  FromUrlState: shape(FromUrlState, { state: 'done', item }),
  DeletedCount: shape(DeletedCount, { deleted: 1 }),
  MediaInUse: shape(MediaInUse),
  Network: shape(Network, networkView('instagram')),
  PlatformDescriptor: shape(PlatformDescriptor, { _id: 'facebook', platform: 'facebook' }),
  SocialAccount: shape(SocialAccount, exampleAccount),
  Site: shape(Site, {
    gallery: [ids.media],
    published: true,
    personalInfo: {
      name: 'Mara Quill',
      shopName: 'Quill & Needle',
      domainName: 'quill-and-needle',
      about: 'Fine lines and daggers.',
      email: 'mara@example.com',
      phone: '+1 718 555 0133',
    },
    address: { shopAddress: '12 Bedford Avenue', city: 'Brooklyn', state: 'NY', zip: '11211' },
    branding: { backgroundColor: '#f6f1e7', textColor: '#1d1a16', buttonColor: '#b3261e', hoverColor: '#8c1d18' },
    images: { logoImage: siteImage, backgroundImage: null, profileImage: null },
    design: { layout: 'gallery', palette: 'bone' },
    links: { hidden: [] },
    sections: { shown: ['work', 'about', 'book'], services: [], questions: [], aftercare: '', guestSpots: [] },
  }),
  SiteImage: shape(SiteImage, siteImage),
  Gallery: shape(Gallery, { gallery: [ids.media] }),
  GalleryItem: shape(GalleryItem, {
    _id: ids.media,
    altText: 'A dagger with a rose',
    isPublic: true,
    flash: { title: 'Dagger and rose', price: '$180', isTaken: false },
  }),
  Post: shape(Post, examplePost),
  Draft: shape(Draft, draft),
  Queue: shape(Queue, { timeZone: 'America/New_York', paused: false, slots: [{ days: [1, 3, 5], time: '17:30' }] }),
  FreeSlot: shape(FreeSlot, { at: exampleTime, pages: [{ socialAccountId: ids.account, pageId: variant.pageId }] }),
  PostResult: shape(PostResult, {
    _id: ids.post,
    scheduledAt: exampleTime,
    targets: [{ pageId: variant.pageId, socialAccountId: ids.account, status: 'scheduled', phase: 'scheduled' }],
  }),
  Appointment: shape(Appointment, exampleAppointment),
  FreeTime: shape(FreeTime),
  OwnHours: shape(OwnHours, { ...defaultAvailability, timeZone: 'America/New_York', isSet: true }),
  ...staffShapes,
}

/** The contracts of answers and webhook bodies, by their names in `docs/api.md` and `GET /api/openapi.json`. */
export const responseShapes: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  Object.entries(shapes).map(([name, { contract }]) => [name, contract]),
)

const examples = new Map(Object.values(shapes).map(({ contract, example }) => [contract, example]))

/** Examples of rows whose contract is too general for one, by method and path. */
export const ownExamples: Record<string, unknown> = {
  'POST /api/users': { message: authMessages.registered },
  'POST /api/users/logout': { message: authMessages.loggedOut },
  'POST /api/users/resend-verification': { message: authMessages.verificationSent },
  'POST /api/users/forgot-password': { message: authMessages.resetSent },
  'POST /api/users/reset-password': { message: authMessages.resetDone },
  'DELETE /api/social-accounts/:id': { message: socialMessages.disconnected },
  'DELETE /api/social-accounts/:accountId/pages/:pageId': { message: socialMessages.disconnected },
  'DELETE /api/appointments/:id': { message: appointmentMessages.deleted },
  'DELETE /api/admin/users/:id': { message: adminMessages.deleted },
  'GET /api/appointments/booked': ['1:00pm-2:00pm'],
  'POST /oauth/revoke': {},
}

/** An example of an operation's answer; undefined if the answer is a document of a standard. */
export function responseExample(name: string, contract: z.ZodType): unknown {
  return ownExamples[name] ?? exampleFor(contract)
}

function exampleFor(contract: z.ZodType): unknown {
  if (!(contract instanceof z.ZodArray)) return examples.get(contract)
  const one = exampleFor(contract.element as z.ZodType)
  return one === undefined ? undefined : [one]
}
