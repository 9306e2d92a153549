import type { Page } from './browser.ts'
import type { Screen } from './visit-screen.ts'

const press = (name: string | RegExp) => async (page: Page) =>
  await page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .filter({ visible: true })
    .first()
    .click()
const pressAll =
  (...names: (string | RegExp)[]) =>
  async (page: Page) => {
    for (const name of names) await press(name)(page)
  }
const tab = (name: string) => async (page: Page) => await page.getByRole('tab', { name }).click()
/** A calendar's view; a phone has the same buttons. */
const view = (name: 'Month' | 'Week' | 'Day' | 'Agenda') => press(name)

const pickOne = async (page: Page) =>
  await page.getByRole('grid', { name: 'Media library' }).getByRole('row').first().click()
const toPages = async (page: Page) => {
  await tab('Media Library')(page)
  await pickOne(page)
  await press('Next')(page)
  await page.getByText('Select Social Accounts').waitFor()
}
const toCaption = async (page: Page) => {
  await toPages(page)
  await press('Select all')(page)
  await press('Next')(page)
  await page.getByText('Post Caption').waitFor()
}
const toReady = async (page: Page) => {
  await toCaption(page)
  await page.getByRole('textbox', { name: 'Caption' }).fill('Healed, one year on.')
  await press('Next')(page)
  await page.getByRole('heading', { name: 'Ready to Post' }).waitFor()
}

const publicScreens: Screen[] = [
  { name: 'landing', who: 'nobody', path: '/', shows: 'Get Started Today!' },
  { name: 'landing, signed in', who: 'mara', path: '/', shows: 'Get Started Today!' },
  { name: 'privacy policy', who: 'nobody', path: '/privacy-policy', shows: 'Privacy Policy' },
  { name: 'terms of service', who: 'nobody', path: '/terms-of-service', shows: 'Terms of Service' },
  { name: 'blog', who: 'nobody', path: '/blog', shows: 'Blog' },
  { name: 'blog post', who: 'nobody', path: '/blog/photos-that-keep-their-lines', shows: /lines/i },
  { name: 'support', who: 'nobody', path: '/support', shows: 'Support' },
  { name: 'contact', who: 'nobody', path: '/contact', shows: 'Send message' },
  { name: 'developers', who: 'nobody', path: '/developers', shows: 'Build on Flashsheet' },
  { name: 'login', who: 'nobody', path: '/login', shows: 'Log in' },
  { name: 'login, refused', who: 'nobody', path: '/login', shows: 'Log in', does: press('Log in') },
  { name: 'register', who: 'nobody', path: '/register', shows: 'Create your account' },
  {
    name: 'register, refused',
    who: 'nobody',
    path: '/register',
    shows: 'Create your account',
    does: press(/^Create|^Sign up|^Register/),
  },
  { name: 'forgot password', who: 'nobody', path: '/forgot-password', shows: /password/i },
  { name: 'reset password', who: 'nobody', path: '/reset-password?token=abc', shows: /password/i },
  {
    name: 'reset password, no token',
    who: 'nobody',
    path: '/reset-password',
    shows: 'Invalid reset link. Please request a new password reset.',
  },
  { name: 'verify email', who: 'noor', path: '/verify-email?email=noor@flashsheet.example', shows: /verif/i },
  {
    name: 'verify email, refused',
    who: 'nobody',
    path: '/verify-email?token=abc',
    shows: 'The verification link is invalid or has expired.',
    refused: true,
  },
  {
    name: 'verify email, of a registration elsewhere',
    who: 'nobody',
    path: (stage) => stage.registration,
    shows: 'This wasn’t me',
  },
  {
    name: 'verify email, not mine',
    who: 'nobody',
    path: (stage) => stage.registration,
    shows: 'This wasn’t me',
    does: pressAll('This wasn’t me', /^Confirm /),
  },
  {
    name: 'verify email, a new address',
    who: 'nobody',
    path: (stage) => stage.newAddress,
    shows: 'Confirm your address',
  },
  { name: 'unverified at a signed-in address', who: 'noor', path: '/new-post', shows: /verif/i },
  { name: 'data deletion, unknown', who: 'nobody', path: '/data-deletion/abc', shows: 'Contact us', refused: true },
  {
    name: 'subscription success',
    who: 'mara',
    path: '/subscription/success?session_id=cs_unknown',
    shows: /subscription/i,
    refused: true,
  },
  { name: 'subscription success, no session', who: 'mara', path: '/subscription/success', shows: /subscription/i },
  { name: 'subscription cancel', who: 'unpaid', path: '/subscription/cancel', shows: /checkout|charged|plan/i },
  { name: 'leaving', who: 'leaving', path: '/new-post', shows: 'Keep my account' },
  {
    name: 'nothing at this address',
    who: 'nobody',
    path: '/no-such-place',
    shows: 'There is nothing at this address',
    refused: true,
  },
  {
    name: 'nothing at this address, signed in',
    who: 'mara',
    path: '/settings/no-such-place',
    shows: 'There is nothing at this address',
    refused: true,
  },
]

const siteScreens: Screen[] = [
  { name: 'artist site', who: 'nobody', path: '/s/mara-quill', shows: 'Quill & Needle' },
  {
    name: 'artist site, a picture',
    who: 'nobody',
    path: '/s/mara-quill',
    shows: 'Quill & Needle',
    does: async (page) => {
      await page.locator('a[href*="/files/"]:has(img)').first().click()
      await page.locator('dialog[open]').waitFor()
    },
  },
  {
    name: 'artist site, long names',
    who: 'nobody',
    path: '/s/the-very-long-name-of-a-tattoo-studio-xy',
    shows: /Maximiliane/,
  },
  { name: 'artist site, nothing on it', who: 'nobody', path: '/s/nothing-on-it', shows: /Nothing is here/ },
  {
    name: 'artist site, holding page',
    who: 'nobody',
    path: '/s/plan-has-ended',
    shows: 'This site is taking a break.',
  },
  {
    name: 'booking, nothing free',
    who: 'nobody',
    path: '/s/nothing-on-it/book',
    shows: /nor in the three months after it/,
  },
  {
    name: 'booking, refused',
    who: 'nobody',
    path: '/s/mara-quill/book',
    shows: /book/i,
    does: async (page) => {
      await page.locator('a[href*="day="]').first().click()
      await press('Ask for this time')(page)
      await page.getByText('Either email or phone is required').waitFor()
    },
    refused: true,
  },
  {
    name: 'booking, a day that is over',
    who: 'nobody',
    path: '/s/mara-quill/book?day=2026-01-05',
    shows: 'Nothing is free on this day any more.',
  },
  { name: 'booking, days', who: 'nobody', path: '/s/mara-quill/book', shows: /book/i },
  { name: 'booking, half days', who: 'nobody', path: '/s/mara-quill/book?type=half', shows: /book/i },
  {
    name: 'booking, hours and form',
    who: 'nobody',
    path: '/s/mara-quill/book',
    shows: /book/i,
    does: async (page) => {
      await page.locator('a[href*="day="]').first().click()
      await page.getByLabel('Your name').waitFor()
    },
  },
  { name: 'booking, sent', who: 'nobody', path: '/s/mara-quill/book/sent', shows: /request/i },
  { name: 'client’s own booking', who: 'nobody', path: (stage) => stage.booking, shows: 'Your booking' },
  { name: 'client’s own booking, move', who: 'nobody', path: (stage) => `${stage.booking}?move=1`, shows: /move|day/i },
  {
    name: 'client’s own booking, unknown',
    who: 'nobody',
    path: '/booking/abcdefabcdefabcdefabcdef',
    shows: /link/i,
    refused: true,
  },
  { name: 'no such site', who: 'nobody', path: '/s/nobody-here', shows: /nothing|no /i, refused: true },
]

const postScreens: Screen[] = [
  { name: 'new post', who: 'mara', path: '/new-post', shows: 'Single Image' },
  { name: 'new post, library', who: 'mara', path: '/new-post', shows: 'Single Image', does: tab('Media Library') },
  {
    name: 'new post, empty library',
    who: 'empty',
    path: '/new-post',
    shows: 'Single Image',
    does: tab('Media Library'),
  },
  {
    name: 'new post, library failing',
    who: 'mara',
    path: '/new-post',
    shows: 'Single Image',
    does: tab('Media Library'),
    fails: 'media.list',
  },
  {
    name: 'new post, picked',
    who: 'mara',
    path: '/new-post',
    shows: 'Single Image',
    does: async (page) => (await tab('Media Library')(page), await pickOne(page)),
  },
  {
    name: 'new post, order of what is picked',
    who: 'mara',
    path: '/new-post',
    shows: 'Single Image',
    does: async (page) => (await tab('Media Library')(page), await pickOne(page), await press(/picked$/)(page)),
    dialog: 'Picked media',
  },
  { name: 'new post, pages', who: 'mara', path: '/new-post', shows: 'Single Image', does: toPages },
  {
    name: 'new post, pages failing',
    who: 'mara',
    path: '/new-post',
    shows: 'Single Image',
    does: toPages,
    fails: 'social.accounts',
  },
  { name: 'new post, caption', who: 'mara', path: '/new-post', shows: 'Single Image', does: toCaption },
  { name: 'new post, ready', who: 'mara', path: '/new-post', shows: 'Single Image', does: toReady },
  {
    name: 'new post, schedule',
    who: 'mara',
    path: '/new-post',
    shows: 'Single Image',
    does: async (page) => (await toReady(page), await press('Schedule')(page)),
    dialog: 'Schedule Your Post',
  },
  { name: 'scheduled posts', who: 'mara', path: '/scheduled-posts', shows: 'Today' },
  { name: 'scheduled posts, week', who: 'mara', path: '/scheduled-posts', shows: 'Today', does: view('Week') },
  { name: 'scheduled posts, day', who: 'mara', path: '/scheduled-posts', shows: 'Today', does: view('Day') },
  { name: 'scheduled posts, agenda', who: 'mara', path: '/scheduled-posts', shows: 'Today', does: view('Agenda') },
  { name: 'scheduled posts, empty', who: 'empty', path: '/scheduled-posts', shows: 'Today' },
  {
    name: 'scheduled posts, filtered',
    who: 'mara',
    path: '/scheduled-posts?status=failed&network=tiktok',
    shows: 'Today',
  },
  { name: 'scheduled posts, failing', who: 'mara', path: '/scheduled-posts', shows: 'Try again', fails: 'posts.' },
  {
    name: 'a scheduled post',
    who: 'mara',
    path: (stage) => `/scheduled-posts?post=${stage.posts.scheduled}`,
    shows: 'Save changes',
    dialog: 'Reschedule Post',
  },
  {
    name: 'a posted post',
    who: 'mara',
    path: (stage) => `/scheduled-posts?post=${stage.posts.posted}`,
    shows: 'Posted Details',
    dialog: 'Posted Details',
  },
  {
    name: 'a failed post',
    who: 'mara',
    path: (stage) => `/scheduled-posts?post=${stage.posts.failed}`,
    shows: 'Failed Post Details',
    dialog: 'Failed Post Details',
  },
  {
    name: 'a post, delete',
    who: 'mara',
    path: (stage) => `/scheduled-posts?post=${stage.posts.scheduled}`,
    shows: 'Save changes',
    does: press('Delete'),
    dialog: 'Delete this post?',
  },
  {
    name: 'a post that is gone',
    who: 'mara',
    path: '/scheduled-posts?post=019a0000-0000-7000-8000-000000000001',
    shows: 'This post no longer exists.',
    dialog: /Details/,
    refused: true,
  },
]

const studioScreens: Screen[] = [
  { name: 'media', who: 'mara', path: '/media', shows: 'Your Media Library (6/100)' },
  { name: 'media, gallery', who: 'mara', path: '/media?tab=gallery', shows: 'Gallery (6)' },
  { name: 'media, empty', who: 'empty', path: '/media', shows: 'No Media Found' },
  { name: 'media, empty gallery', who: 'empty', path: '/media?tab=gallery', shows: 'No Gallery Media' },
  { name: 'media, failing', who: 'mara', path: '/media', shows: 'Try again', fails: 'media.list' },
  { name: 'media, selected', who: 'mara', path: '/media', shows: 'Your Media Library (6/100)', does: pickOne },
  {
    name: 'media, one seen large',
    who: 'mara',
    path: '/media',
    shows: 'Your Media Library (6/100)',
    does: async (page) => (await pickOne(page), await press('View')(page)),
    dialog: /\.jpg$/,
  },
  {
    name: 'media, delete',
    who: 'mara',
    path: '/media',
    shows: 'Your Media Library (6/100)',
    does: async (page) => (await pickOne(page), await press('Delete')(page)),
    dialog: 'Delete this item?',
  },
  { name: 'appointments', who: 'mara', path: '/appointments', shows: 'Today' },
  { name: 'appointments, week', who: 'mara', path: '/appointments', shows: 'Today', does: view('Week') },
  { name: 'appointments, day', who: 'mara', path: '/appointments', shows: 'Today', does: view('Day') },
  { name: 'appointments, agenda', who: 'mara', path: '/appointments', shows: 'Today', does: view('Agenda') },
  { name: 'appointments, empty', who: 'empty', path: '/appointments', shows: 'No appointments in this time' },
  {
    name: 'appointments, full day and long names',
    who: 'long',
    path: '/appointments',
    shows: 'Today',
    does: view('Day'),
  },
  {
    name: 'appointments, long names in the agenda',
    who: 'long',
    path: '/appointments',
    shows: 'Today',
    does: view('Agenda'),
  },
  { name: 'appointments, failing', who: 'mara', path: '/appointments', shows: 'Try again', fails: 'appointments.' },
  {
    name: 'appointments, smaller plan',
    who: 'jonas',
    path: '/appointments',
    shows: 'Appointments come with Complete Shading',
    refused: true,
  },
  {
    name: 'appointments, set aside',
    who: 'mara',
    path: '/appointments',
    shows: 'Today',
    does: async (page) => await page.getByText(/^Set aside/).click(),
  },
  {
    name: 'appointment, asked for',
    who: 'mara',
    path: (stage) => `/appointments?appointment=${stage.appointments.asked}`,
    shows: 'Aiko Tan asks for this time',
    dialog: 'Appointment',
  },
  {
    name: 'appointment, edit',
    who: 'mara',
    path: (stage) => `/appointments?appointment=${stage.appointments.agreed}`,
    shows: 'Save changes',
    dialog: 'Appointment',
  },
  {
    name: 'appointment, delete',
    who: 'mara',
    path: (stage) => `/appointments?appointment=${stage.appointments.agreed}`,
    shows: 'Save changes',
    does: press('Delete appointment'),
    dialog: 'Delete this appointment?',
  },
  {
    name: 'appointment, gone',
    who: 'mara',
    path: '/appointments?appointment=019a0000-0000-7000-8000-000000000001',
    shows: 'This appointment no longer exists.',
    dialog: 'Appointment',
    refused: true,
  },
  {
    name: 'appointment, new',
    who: 'mara',
    path: '/appointments',
    shows: 'Today',
    does: press('New appointment'),
    dialog: 'New Appointment',
  },
  {
    name: 'appointment, new, refused',
    who: 'mara',
    path: '/appointments',
    shows: 'Today',
    does: pressAll('New appointment', 'Create Appointment'),
    dialog: 'New Appointment',
  },
  {
    name: 'booking hours',
    who: 'mara',
    path: '/appointments',
    shows: 'Today',
    does: pressAll('Booking hours', 'Add days off'),
    dialog: 'Booking hours',
  },
  { name: 'website builder', who: 'mara', path: '/website-builder', shows: 'About' },
  { name: 'website builder, empty', who: 'empty', path: '/website-builder', shows: 'About' },
  { name: 'website builder, long names', who: 'long', path: '/website-builder', shows: 'About' },
  {
    name: 'website builder, failing',
    who: 'mara',
    path: '/website-builder',
    shows: 'Try again',
    fails: 'website.site',
  },
  { name: 'website builder, smaller plan', who: 'jonas', path: '/website-builder', shows: 'View plans', refused: true },
  { name: 'social accounts', who: 'mara', path: '/social-accounts', shows: 'Connected Accounts (5/5)' },
  { name: 'social accounts, empty', who: 'empty', path: '/social-accounts', shows: 'No accounts connected.' },
  { name: 'social accounts, failing', who: 'mara', path: '/social-accounts', shows: 'Try again', fails: 'social.' },
  {
    name: 'social accounts, refused at the network',
    who: 'jonas',
    path: '/social-accounts?error=You+said+no+at+TikTok.',
    shows: 'You said no at TikTok.',
  },
  {
    name: 'social accounts, connect',
    who: 'jonas',
    path: '/social-accounts',
    shows: 'Connected Accounts (1/5)',
    does: press(/^Connect TikTok/),
    dialog: /TikTok/,
  },
  {
    name: 'social accounts, disconnect',
    who: 'mara',
    path: '/social-accounts',
    shows: 'Connected Accounts (5/5)',
    does: press(/^Disconnect/),
    dialog: /Disconnect|Facebook/,
  },
]

const ownScreens: Screen[] = [
  { name: 'profile', who: 'mara', path: '/profile', shows: 'Name' },
  { name: 'subscription', who: 'mara', path: '/subscription', shows: 'Your Plan' },
  {
    name: 'subscription, none',
    who: 'unpaid',
    path: '/subscription',
    shows: 'Choose the plan that fits how you work.',
  },
  {
    name: 'subscription, payment open',
    who: 'late',
    path: '/subscription',
    shows: 'Your payment failed. Please update your payment method.',
  },
  {
    name: 'subscription, ended',
    who: 'former',
    path: '/subscription',
    shows: 'Your subscription was canceled. You can reactivate it anytime.',
  },
  { name: 'subscription, failing', who: 'mara', path: '/subscription', shows: 'Try again', fails: 'subscription.' },
  {
    name: 'subscription, cancel',
    who: 'mara',
    path: '/subscription',
    shows: 'Your Plan',
    does: press('Cancel subscription'),
    dialog: 'Cancel Complete Shading?',
  },
  {
    name: 'subscription, change plan',
    who: 'mara',
    path: '/subscription',
    shows: 'Your Plan',
    does: press('Subscribe Now'),
    dialog: 'Change to Social Line Work?',
  },
  { name: 'premium access required', who: 'unpaid', path: '/new-post', shows: 'Premium Access Required' },
  {
    name: 'premium access, payment open',
    who: 'late',
    path: '/media',
    shows: 'Your payment failed. Please update your payment method.',
  },
  { name: 'help', who: 'mara', path: '/help', shows: 'Send message' },
  {
    name: 'help, nothing found',
    who: 'mara',
    path: '/help',
    shows: 'Send message',
    does: async (page) => await page.getByRole('searchbox').pressSequentially('xyzzy'),
  },
  { name: 'settings', who: 'mara', path: '/settings', shows: 'This device' },
  { name: 'settings, failing', who: 'mara', path: '/settings', shows: 'Try again', fails: 'notices.mails' },
  {
    name: 'settings, delete account',
    who: 'mara',
    path: '/settings',
    shows: 'This device',
    does: press('Delete my account'),
    dialog: 'Delete your account?',
  },
  { name: 'own keys, none', who: 'mara', path: '/settings/developers', shows: 'No keys yet' },
  { name: 'own keys, failing', who: 'mara', path: '/settings/developers', shows: 'Try again', fails: 'keys.list' },
  { name: 'notices', who: 'mara', path: '/settings', shows: 'This device', does: press(/^Notices/), dialog: 'Notices' },
  {
    name: 'notices, none',
    who: 'empty',
    path: '/settings',
    shows: 'This device',
    does: press(/^Notices/),
    dialog: 'Notices',
  },
  {
    name: 'user menu',
    who: 'mara',
    path: '/settings',
    shows: 'This device',
    does: press(/^Account of/),
    dialog: 'Account',
  },
  {
    name: 'user menu, long name',
    who: 'long',
    path: '/settings',
    shows: 'This device',
    does: press(/^Account of/),
    dialog: 'Account',
  },
]

const staffScreens: Screen[] = [
  { name: 'admin dashboard', who: 'sam', path: '/admin', shows: 'Recent Activity' },
  { name: 'admin dashboard, failing', who: 'sam', path: '/admin', shows: 'Try again', fails: 'admin.analytics' },
  { name: 'admin artists', who: 'sam', path: '/admin/users', shows: 'Entries' },
  {
    name: 'admin artists, none',
    who: 'sam',
    path: '/admin/users?search=nobody+has+this+name',
    shows: 'No users found',
  },
  { name: 'admin artists, failing', who: 'sam', path: '/admin/users', shows: 'Try again', fails: 'admin.users' },
  {
    name: 'admin artists, delete',
    who: 'sam',
    path: '/admin/users?search=jonas',
    shows: 'Jonas Birk',
    does: press('Delete Jonas Birk'),
    dialog: 'Confirm Delete',
  },
  {
    name: 'admin artists, deactivate',
    who: 'sam',
    path: '/admin/users?search=jonas',
    shows: 'Jonas Birk',
    does: async (page) => await page.getByRole('switch', { name: 'Jonas Birk is active' }).click({ force: true }),
    dialog: 'Deactivate account',
  },
  { name: 'admin artist', who: 'sam', path: (stage) => `/admin/users/${stage.artist}`, shows: 'Mara Quill' },
  {
    name: 'admin artist, edit',
    who: 'sam',
    path: (stage) => `/admin/users/${stage.artist}`,
    shows: 'Mara Quill',
    does: press('Edit name and address'),
    dialog: /Edit/,
  },
  {
    name: 'admin artist, make admin',
    who: 'sam',
    path: (stage) => `/admin/users/${stage.artist}`,
    shows: 'Mara Quill',
    does: press('Make admin'),
    dialog: 'Make admin',
  },
  {
    name: 'admin artist, gone',
    who: 'sam',
    path: '/admin/users/019a0000-0000-7000-8000-000000000001',
    shows: 'Try again',
    refused: true,
  },
  { name: 'admin orders', who: 'sam', path: '/admin/subscriptions', shows: 'Entries' },
  {
    name: 'admin orders, none',
    who: 'sam',
    path: '/admin/subscriptions?search=nobody+has+this+name',
    shows: 'No orders found',
  },
  {
    name: 'admin order',
    who: 'sam',
    path: (stage) => `/admin/subscriptions?order=${stage.order}`,
    shows: 'Stripe object',
    dialog: 'Order',
  },
  { name: 'admin scheduled posts', who: 'sam', path: '/admin/scheduled-posts', shows: 'Mara Quill' },
  { name: 'admin appointments', who: 'sam', path: '/admin/appointments', shows: 'Mara Quill' },
  { name: 'admin media', who: 'sam', path: '/admin/media', shows: 'Mara Quill' },
  { name: 'admin websites', who: 'sam', path: '/admin/websites', shows: 'Mara Quill' },
  { name: 'admin social accounts', who: 'sam', path: '/admin/social-accounts', shows: 'Mara Quill' },
  { name: 'admin settings', who: 'sam', path: '/admin/settings', shows: 'Queue' },
  { name: 'admin profile', who: 'sam', path: '/admin/profile', shows: 'Sam Okafor' },
  {
    name: 'admin menu',
    who: 'sam',
    path: '/admin/profile',
    shows: 'Sam Okafor',
    does: press(/^Account of/),
    dialog: 'Account',
  },
  { name: 'access denied', who: 'mara', path: '/admin', shows: 'Access Denied' },
]

/** Every screen of the product with its states and dialogs, as a person comes to it. A new route or dialog gets a line here. */
export const screens: readonly Screen[] = [
  ...publicScreens,
  ...siteScreens,
  ...postScreens,
  ...studioScreens,
  ...ownScreens,
  ...staffScreens,
]

/** What only a phone has. */
export const phoneScreens: readonly Screen[] = [
  { name: 'drawer', who: 'mara', path: '/settings', shows: 'This device', does: press('Menu'), dialog: 'Menu' },
  {
    name: 'admin drawer',
    who: 'sam',
    path: '/admin/profile',
    shows: 'Sam Okafor',
    does: press('Menu'),
    dialog: 'Menu',
  },
  { name: 'website builder, preview', who: 'mara', path: '/website-builder', shows: 'About', does: tab('Preview') },
]
