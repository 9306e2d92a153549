export const galleryLimits = {
  /** Characters of what a picture shows, for those who cannot see it. */
  altText: 250,
} as const

export const siteLimits = {
  /** Characters of a domain name. */
  domainName: { min: 3, max: 40 },
  about: 2000,
  line: 120,
  /** Days an artist's  still says where they are after their plan ended. */
  holdingDays: 30,
  /** How long a former address is reserved. */
  formerNameDays: 30,
  /** Addresses that go on leading to an artist's site; older ones are free. */
  formerNames: 5,
  /** Contact details and links that an artist keeps from visitors. */
  hiddenLinks: 100,
  services: 20,
  price: 40,
  serviceNote: 200,
  questions: 20,
  answer: 1000,
  aftercare: 2000,
  guestSpots: 12,
} as const

/** The parts of a home page below its name, in the order in which the builder offers them. */
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

/** What of a site's contact details can be kept from visitors, beside links of connected pages. */
export const contactDetails = ['email', 'phone', 'address'] as const
export type ContactDetail = (typeof contactDetails)[number]

export const imageSlots = ['logoImage', 'backgroundImage', 'profileImage'] as const
export type ImageSlot = (typeof imageSlots)[number]
