import type { PlanId } from '@flashsheet/contracts/plans'
import type { Platform } from '@flashsheet/contracts/networks'

/** A demo account. Seed, tests and screenshots refer to them by name. */
export type DemoAccount = {
  name: string
  email: string
  about: string
  verified: boolean
  plan: PlanId | null
  admin: boolean
  connects: readonly Platform[]
  timeZone: string
  /** Posts of one drawing each. `hours`: from now until publishing; null: at once. */
  posts: readonly { drawing: string; hours: number | null; pages: readonly Platform[] }[]
  /** Drawings in the website's gallery, in order. */
  gallery: readonly string[]
  /** Has the appointments of `bookings.ts`. */
  booked?: boolean
  /** Has the website of `site.ts`. */
  hasSite?: boolean
}

/** The password of all demo accounts, which exist only with the sandbox. */
export const demoPassword = 'flash-sheet'

export const demoAccounts: readonly DemoAccount[] = [
  {
    name: 'Mara Quill',
    email: 'mara@flashsheet.example',
    about: 'Subscribed to Complete Shading, five networks connected, posts out and planned, a website',
    verified: true,
    plan: 'complete-shading',
    admin: false,
    connects: ['facebook', 'instagram', 'tiktok', 'youtube', 'linkedin'],
    timeZone: 'America/New_York',
    posts: [
      { drawing: 'swallow', hours: null, pages: ['facebook', 'instagram'] },
      { drawing: 'dagger', hours: 20, pages: ['facebook', 'instagram', 'linkedin'] },
      { drawing: 'peony', hours: 68, pages: ['instagram'] },
      { drawing: 'moth', hours: 140, pages: ['facebook', 'instagram'] },
    ],
    gallery: ['swallow', 'moth', 'peony', 'dagger', 'eye', 'snake'],
    booked: true,
    hasSite: true,
  },
  {
    name: 'Jonas Birk',
    email: 'jonas@flashsheet.example',
    about: 'On Social Line Work, one network connected',
    verified: true,
    plan: 'social-line-work',
    admin: false,
    connects: ['instagram'],
    timeZone: 'America/Chicago',
    posts: [{ drawing: 'eye', hours: 30, pages: ['instagram'] }],
    gallery: [],
  },
  {
    name: 'Noor Haddad',
    email: 'noor@flashsheet.example',
    about: 'Registered, but the address is not verified yet',
    verified: false,
    plan: null,
    admin: false,
    connects: [],
    timeZone: 'America/Los_Angeles',
    posts: [],
    gallery: [],
  },
  {
    name: 'Sam Okafor',
    email: 'sam@flashsheet.example',
    about: 'Admin, without a subscription',
    verified: true,
    plan: null,
    admin: true,
    connects: [],
    timeZone: 'America/New_York',
    posts: [],
    gallery: [],
  },
]
