import { ownScreens, staffScreens } from './account-screens.ts'
import { press, pressAll, tab } from './screen-actions.ts'
import { postScreens, studioScreens } from './studio-screens.ts'
import type { Screen } from './visit-screen.ts'

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
  {
    name: 'reference',
    who: 'nobody',
    path: '/developers/reference',
    shows: 'The caller, and the scopes of the key.',
  },
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
    path: (fixture) => fixture.registration,
    shows: 'This wasn’t me',
  },
  {
    name: 'verify email, not mine',
    who: 'nobody',
    path: (fixture) => fixture.registration,
    shows: 'This wasn’t me',
    does: pressAll('This wasn’t me', /^Confirm /),
  },
  {
    name: 'verify email, a new address',
    who: 'nobody',
    path: (fixture) => fixture.newAddress,
    shows: 'Confirm your address',
  },
  { name: 'unverified at a signed-in address', who: 'noor', path: '/new-post', shows: /verif/i },
  { name: 'leaving', who: 'nobody', path: '/leaving', shows: 'Your account will be deleted' },
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
    shows: 'Page not found',
    refused: true,
  },
  {
    name: 'nothing at this address, signed in',
    who: 'mara',
    path: '/settings/no-such-place',
    shows: 'Page not found',
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
      // Where only one time is free it is chosen, and the sentence is above the form too.
      await page.getByText('Either email or phone is required').last().waitFor()
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
  { name: 'client’s own booking', who: 'nobody', path: (fixture) => fixture.booking, shows: 'Your booking' },
  {
    name: 'client’s own booking, move',
    who: 'nobody',
    path: (fixture) => `${fixture.booking}?move=1`,
    shows: /move|day/i,
  },
  {
    name: 'client’s own booking, unknown',
    who: 'nobody',
    path: '/booking/abcdefabcdefabcdefabcdef',
    shows: /link/i,
    refused: true,
  },
  { name: 'no such site', who: 'nobody', path: '/s/nobody-here', shows: /nothing|no /i, refused: true },
]

const consentScreens: Screen[] = [
  {
    name: 'connect an assistant',
    who: 'mara',
    path: (fixture) => fixture.consents.valid,
    shows: 'It would act for Mara Quill',
  },
  {
    name: 'connect an assistant, a long name',
    who: 'long',
    path: (fixture) => fixture.consents.valid,
    shows: 'It would act for Maximiliane',
  },
  {
    name: 'connect an assistant, not so',
    who: 'mara',
    path: (fixture) => fixture.consents.invalid,
    shows: 'This assistant cannot be connected',
  },
  {
    name: 'connect an assistant, unknown',
    who: 'mara',
    path: '/connect-assistant?request=q-',
    shows: 'This assistant cannot be connected',
    refused: true,
  },
]

/** Every screen of the product with its states and dialogs. Add each new route or dialog here. */
export const screens: readonly Screen[] = [
  ...publicScreens,
  ...siteScreens,
  ...postScreens,
  ...studioScreens,
  ...ownScreens,
  ...staffScreens,
  ...consentScreens,
]

/** Screens that only a phone has. */
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
