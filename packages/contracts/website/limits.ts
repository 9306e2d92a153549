export const galleryLimits = {
  /** Characters of an alternative text. */
  altText: 250,
} as const

export const siteLimits = {
  /** Characters of a domain name. */
  domainName: { min: 3, max: 40 },
  about: 2000,
  line: 120,
  /** Days for which the holding page is shown after the plan has ended. */
  holdingDays: 30,
  /** Days for which a former address is reserved. */
  formerNameDays: 30,
  /** Former addresses that redirect to an artist's site; older ones are free. */
  formerNames: 5,
  /** Contact details and links that an artist has hidden from visitors. */
  hiddenLinks: 100,
  services: 20,
  price: 40,
  serviceNote: 200,
  questions: 20,
  answer: 1000,
  aftercare: 2000,
  guestSpots: 12,
} as const

/** The sections of a home page, in the order in which the builder offers them. */
export const siteSections = [
  'work',
  'flash',
  'services',
  'about',
  'guestSpots',
  'hours',
  'questions',
  'aftercare',
  'book',
  'contact',
] as const
export type SiteSection = (typeof siteSections)[number]

/** The contact details that can be hidden from visitors, besides links to connected pages. */
export const contactDetails = ['email', 'phone', 'address'] as const
export type ContactDetail = (typeof contactDetails)[number]

export const imageSlots = ['logoImage', 'backgroundImage', 'profileImage'] as const
export type ImageSlot = (typeof imageSlots)[number]
