import { seedDemo } from '../api/seed.ts'
import { createArtist, type Visitor } from '../api/testing/actors.ts'
import { startTestApp, type TestApp } from '../api/testing/app.ts'
import { bookAt } from '../api/testing/booking.ts'
import { connect } from '../api/testing/connect.ts'
import { registerProgram, consentRequestOf } from '../api/testing/oauth-assistant.ts'
import { uploadFile, uploadPictures } from '../api/testing/posting.ts'
import { videoFixture } from '../packages/sandbox/fixtures/videos.ts'
import { cancelSubscription, concludePost, idOf, insertNotice, markAsSpam } from '../api/testing/records.ts'
import { mailTo } from '../api/testing/sandbox.ts'
import { openSystem } from '../api/testing/system.ts'
import { crowd } from '../db/seed/crowd.ts'
import { demoAccounts, demoPassword } from '../db/seed/demo-accounts.ts'
import { demoSite } from '../db/seed/site.ts'
import type { AdminUser, HistoryEntry } from '../packages/contracts/admin/schema.ts'
import { defaultAvailability } from '../packages/contracts/appointments/limits.ts'
import type { Appointment } from '../packages/contracts/appointments/schema.ts'
import type { Post } from '../packages/contracts/posts/schema.ts'

/** The visitors of screens: the demo accounts by first name, and artists in states that no demo account has. */
export type Person =
  | 'nobody'
  | 'mara'
  | 'jonas'
  | 'noor'
  | 'sam'
  | 'empty'
  | 'unpaid'
  | 'late'
  | 'former'
  | 'leaving'
  | 'long'
  | 'upright'

/** A running app with the demo accounts, and the ids and links that the paths of its screens need. */
export type ScreenFixture = {
  app: TestApp
  people: Partial<Record<Person, Pick<Visitor, 'cookies'>>>
  posts: Record<'posted' | 'scheduled' | 'failed', string>
  /** A pending booking request, and a confirmed one. */
  appointments: Record<'pending' | 'confirmed', string>
  /** The client's own link to the booking. */
  booking: string
  /** Links of mails: of a registration in another browser, and of a change of address. */
  registration: string
  newAddress: string
  /** Paths of the consent screen: with a valid request, and with an unknown scope. */
  consents: Record<'valid' | 'invalid', string>
  artist: string
  order: string
}

/** The longest name that a registration accepts, with few places to break it. */
const longName = 'Maximiliane-Konstantinopolska-Ravindranathan-Featherstonehaugh O’Shaughnessy-Brackenreid'

async function signedIn(app: TestApp, name: string): Promise<Visitor> {
  const visitor = app.visitor()
  const { status } = await visitor.post('/api/users/auth', {
    email: `${name}@flashsheet.example`,
    password: demoPassword,
  })
  if (status !== 200) throw new Error(`${name} could not log in: ${status}`)
  return visitor
}

/** Registers with long names in another browser. Returns the path in the link of the mail. */
async function registerElsewhere(app: TestApp): Promise<string> {
  const email = `${'maximiliane.'.repeat(4)}o-shaughnessy@a-quite-long-host-name.example`
  await app.visitor().post('/api/users', { name: longName, email, password: demoPassword })
  return await pathIn(app, email)
}

/** The path with a token in the mail to this address. */
async function pathIn(app: TestApp, to: string): Promise<string> {
  const link = (await mailTo(app, to)).links.find((one) => one.includes('token=')) ?? ''
  return link.slice(app.url.length)
}

/** The demo accounts and artists of the sampled screens, to start in half the time. Using any other part of the fixture fails. */
export async function createSampleFixture(): Promise<ScreenFixture> {
  const app = await startTestApp()
  const { system, close } = await openSystem(app)
  const accounts = demoAccounts.filter(({ name }) => ['Mara Quill', 'Sam Okafor'].includes(name))
  await seedDemo(system, undefined, { accounts, entries: crowd.slice(0, 6) })
  await close()
  const missing = (part: string) => {
    throw new Error(`The sample has no ${part}: add it to createSampleFixture.`)
  }
  return {
    app,
    people: { nobody: app.visitor(), mara: await signedIn(app, 'mara'), sam: await signedIn(app, 'sam') },
    registration: await registerElsewhere(app),
    get posts() {
      return missing('posts')
    },
    get appointments() {
      return missing('appointments')
    },
    get booking() {
      return missing('booking')
    },
    get newAddress() {
      return missing('new address')
    },
    get consents() {
      return missing('consents')
    },
    get artist() {
      return missing('artist')
    },
    get order() {
      return missing('order')
    },
  }
}

/** Starts the app with the demo accounts, and adds what they lack: failures, long names, artists without a plan. */
export async function createScreenFixture(): Promise<ScreenFixture> {
  const app = await startTestApp({ seed: true })
  const [mara, jonas, noor, sam] = [
    await signedIn(app, 'mara'),
    await signedIn(app, 'jonas'),
    await signedIn(app, 'noor'),
    await signedIn(app, 'sam'),
  ]
  const empty = await createArtist(app, { name: 'Wren Ashby' })
  const unpaid = await createArtist(app, { name: 'Piet Vandermeer', plan: null })
  const late = await createArtist(app, { name: 'Ines Farrow', status: 'past_due' })
  const former = await createArtist(app, { name: 'Theo Lindqvist', plan: 'social-line-work', status: 'canceled' })
  const leaving = await createArtist(app, { name: 'Rosa Delgado', requestedDeletion: true })
  const long = await createArtist(app, { name: longName })
  const upright = await createArtist(app, { name: 'Nia Okafor' })
  await connect(app, upright, 'instagram')
  await uploadFile(upright, { name: 'reel.mp4', type: 'video/mp4', bytes: videoFixture('portrait-5s.mp4') })
  await uploadPictures(upright, 1, [900, 1600])

  const [posted, scheduled, failed] = (await mara.get<Post[]>('/api/posts')).body.toSorted((a, b) =>
    a.scheduledAt.localeCompare(b.scheduledAt),
  )
  if (!posted || !scheduled || !failed) throw new Error('the demo accounts have no posts')
  const reason = 'Instagram did not take the picture: it is smaller than 320 pixels.'
  await concludePost(app, failed._id, 'failed', app.clock.now(), reason)

  const owner = { id: await idOf(app, 'mara@flashsheet.example') }
  for (const [kind, title] of [
    ['post_failed', 'A post failed'],
    ['appointment', 'Aiko Tan asks for a time'],
  ] as const)
    await insertNotice(app, owner, { kind, title, text: reason, link: '/scheduled-posts', action: 'Look' })

  const booked = (await mara.get<Appointment[]>('/api/appointments')).body
  const pending = booked.find((one) => one.contact.email === 'aiko@clients.example')
  const confirmed = booked.find((one) => one.status === 'confirmed')
  const mail = await mailTo(app, 'aiko@clients.example')
  const booking = mail.links.map((link) => new URL(link).pathname).find((path) => path.startsWith('/booking/'))
  const spam = await bookAt(
    app,
    { domainName: demoSite.domainName },
    {
      date: inDays(app, 12),
      timeSlot: '7:00pm-8:00pm',
      contact: { email: 'winner@spam.example' },
      notes: 'Buy followers http://a.example http://b.example http://c.example http://d.example',
    },
  )
  await markAsSpam(app, spam.body._id)

  await long.post('/api/websitebuilder', {
    personalInfo: {
      name: longName,
      shopName: `The ${longName} Tattoo Company`,
      domainName: 'the-very-long-name-of-a-tattoo-studio-xy',
      about: longName.repeat(3),
      email: '',
      phone: '',
    },
  })
  await long.trpc.appointments.saveAvailability.mutate(defaultAvailability)
  for (const timeSlot of [
    '9:00am-10:00am',
    '11:00am-12:00pm',
    '1:00pm-2:00pm',
    '3:00pm-4:00pm',
    '5:00pm-6:00pm',
    '7:00pm-8:00pm',
  ])
    await long.post('/api/appointments', {
      domainName: 'the-very-long-name-of-a-tattoo-studio-xy',
      bookingType: '1 Hour Booking',
      timeSlot,
      date: inDays(app, 0),
      contact: {
        name: `${longName} ${timeSlot}`,
        email: `${'very-long-'.repeat(5)}address@a-quite-long-host-name.example`,
      },
      notes: longName.repeat(2),
    })

  const registration = await registerElsewhere(app)
  await long.put('/api/users/profile', {
    _id: long.id,
    email: 'maximiliane@new-address.example',
    currentPassword: long.password,
  })
  const newAddress = await pathIn(app, 'maximiliane@new-address.example')

  const bare = await createArtist(app, { name: 'Nothing is here' })
  await bare.post('/api/websitebuilder', { personalInfo: { name: bare.name, domainName: 'nothing-on-it' } })
  await bare.trpc.appointments.saveAvailability.mutate({
    ...defaultAvailability,
    weekly: defaultAvailability.weekly.map(() => null),
  })
  const ended = await createArtist(app, { name: 'Lou Ferris' })
  await ended.post('/api/websitebuilder', {
    personalInfo: {
      name: ended.name,
      domainName: 'plan-has-ended',
      email: 'lou@studio.example',
      phone: '+1 718 555 0133',
    },
  })
  await cancelSubscription(app, ended)

  const program = await registerProgram(app.visitor())
  const consentOf = async (changes: Record<string, string> = {}) =>
    `/connect-assistant?request=${await consentRequestOf(mara, { ...program.params, ...changes })}`

  const order = (await sam.get<{ history: HistoryEntry[] }>('/api/admin/subscriptions/history')).body.history[0]
  const artist = (await sam.get<{ users: AdminUser[] }>('/api/admin/users?search=mara+quill')).body.users[0]
  if (!pending || !confirmed || !booking || !order || !artist) throw new Error('the screen fixture is incomplete')
  return {
    app,
    people: { nobody: app.visitor(), mara, jonas, noor, sam, empty, unpaid, late, former, leaving, long, upright },
    posts: { posted: posted._id, scheduled: scheduled._id, failed: failed._id },
    appointments: { pending: pending._id, confirmed: confirmed._id },
    booking,
    registration,
    newAddress,
    consents: { valid: await consentOf(), invalid: await consentOf({ scope: 'everything' }) },
    artist: artist._id,
    order: order._id,
  }
}

const inDays = (app: TestApp, days: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(
    new Date(app.clock.now().getTime() + days * 86_400_000),
  )
