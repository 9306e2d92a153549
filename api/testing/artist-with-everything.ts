import type { PostResult } from '@flashsheet/contracts/posts/schema'
import type { Appointment } from '@flashsheet/contracts/appointments/schema'
import type { Draft } from '@flashsheet/contracts/drafts/schema'
import type { NewWebhookEndpoint, WebhookSent } from '@flashsheet/contracts/webhooks/schema'
import { assistantGrants } from '@flashsheet/db/schema/assistants'
import { mediaFetches } from '@flashsheet/db/schema/media'
import { galleryItems } from '@flashsheet/db/schema/website'
import { notices } from '@flashsheet/db/schema/notices'
import { eq } from 'drizzle-orm'
import { newId } from '../core/ids.ts'
import { createArtist, type Artist } from './actors.ts'
import type { TestApp } from './app.ts'
import { accountsWithPictures, connect } from './connect.ts'
import { createProgram } from './keys.ts'
import { uploadPictures, variantsOf } from './posting.ts'
import { eventually } from './sandbox.ts'
import { tus } from './uploads.ts'

const day = 86_400_000

/** An artist who owns one of everything that a path can name, and its ids. */
export type Owner = {
  artist: Artist
  media: string
  /** A library item in the gallery. */
  galleryItem: string
  upload: string
  account: string
  page: string
  /** The parts of the address of the copied picture of that page. */
  pictureId: string
  pictureFile: string
  post: string
  draft: string
  variant: string
  appointment: string
  notice: string
  session: string
  key: string
  /** A connected assistant. */
  assistant: string
  /** A job that fetches a picture by its address. */
  mediaFetch: string
  endpoint: string
  delivery: string
}

/** Creates an artist with one of everything over the API, and waits until all jobs are done. */
export async function createOwner(app: TestApp): Promise<Owner> {
  const artist = await createArtist(app)
  const [media = '', galleryItem = ''] = await uploadPictures(artist, 2)
  await artist.post('/api/websitebuilder/gallery', { ids: [galleryItem] })
  const upload =
    (await tus.create(artist, { name: 'half.jpg', type: 'image/jpeg', bytes: 1000 })).headers
      .get('location')
      ?.split('/')
      .at(-1) ?? ''
  const account = await connect(app, artist, 'facebook')
  const [shownAccount] = await accountsWithPictures(artist)
  const [pictureId, pictureFile] = shownAccount?.pages[0]?.picture?.split('/').slice(-2) ?? []
  const scheduledAt = new Date(app.clock.now().getTime() + 40 * day).toISOString()
  const { body: post } = await artist.post<PostResult>('/api/posts/schedule', {
    mediaIds: [media],
    variants: variantsOf(account),
    scheduledAt,
  })
  const [variant] = (await artist.trpc.posts.get.query({ postId: post._id })).variants
  const { body: draft } = await artist.post<Draft>('/api/drafts', {
    title: 'Not sent yet',
    mediaIds: [media],
    variants: variantsOf(account),
  })
  const domainName = `owner-${newId().slice(-8)}`
  await artist.post('/api/websitebuilder', {
    personalInfo: { name: artist.name, shopName: '', domainName, about: '', email: '', phone: '' },
  })
  const date = new Date(app.clock.now().getTime() + 14 * day).toISOString().slice(0, 10)
  const { body: appointment } = await artist.post<Appointment>('/api/appointments', {
    domainName,
    bookingType: '1 Hour Booking',
    timeSlot: '1:00pm-2:00pm',
    date,
    contact: { email: 'client@home.example' },
  })
  const notice = newId()
  await app.client.db.insert(notices).values({
    id: notice,
    userId: artist.id,
    kind: 'post_failed',
    dedupeKey: 'one',
    title: 't',
    text: 't',
    link: '/',
    action: 'a',
    createdAt: app.clock.now(),
  })
  await eventually(
    'the gallery picture',
    async () =>
      (await app.client.db.select().from(galleryItems).where(eq(galleryItems.userId, artist.id)))[0]?.renditions,
  )
  const session = (await artist.trpc.auth.sessions.query())[0]?._id ?? ''
  const mediaFetch = newId()
  await app.client.db.insert(mediaFetches).values({
    id: mediaFetch,
    userId: artist.id,
    requestId: mediaFetch,
    url: 'https://pictures.example/a.jpg',
    state: 'failed',
    message: 'not there',
    createdAt: app.clock.now(),
  })
  const { body: endpoint } = await artist.post<NewWebhookEndpoint>('/api/webhook-endpoints', {
    url: 'https://nowhere.invalid/hook',
    events: ['post.deleted'],
  })
  const { body: sent } = await artist.post<WebhookSent>(`/api/webhook-endpoints/${endpoint._id}/test`)
  // Disabled, so that no further attempt changes the delivery during a test.
  await artist.put(`/api/webhook-endpoints/${endpoint._id}`, { active: false })
  await eventually('the attempt under way to end', async () => {
    const leased = await app.client
      .sql`select 1 from webhook_endpoints where id = ${endpoint._id} and lease_token is not null`
    return leased.length === 0
  })
  const assistant = newId()
  await app.client.db.insert(assistantGrants).values({
    id: assistant,
    userId: artist.id,
    clientId: 'https://assistant.example/client.json',
    name: 'An assistant',
    host: 'assistant.example',
    scopes: ['posts:read'],
    createdAt: app.clock.now(),
  })
  const owner = {
    assistant,
    artist,
    media,
    galleryItem,
    upload,
    account: account._id,
    page: account.pages[0]?.pageId ?? '',
    pictureId: pictureId ?? '',
    pictureFile: pictureFile ?? '',
    post: post._id,
    draft: draft._id,
    variant: variant?._id ?? '',
    appointment: appointment._id,
    notice,
    session,
    mediaFetch,
    endpoint: endpoint._id,
    delivery: sent._id,
    key: (await createProgram(app, artist, [])).keyId,
  }
  const missing = Object.entries(owner).filter(([, value]) => !value)
  if (missing.length > 0) throw new Error(`the owner has no ${missing.map(([name]) => name).join(', ')}`)
  return owner
}
