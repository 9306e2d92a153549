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
  /** An address that its artist left is kept from others for so long. */
  formerNameDays: 30,
  /** Addresses that go on leading to an artist's site; older ones are free. */
  formerNames: 5,
  /** Contact details and links that an artist keeps from visitors. */
  hiddenLinks: 100,
} as const

/** What of a site's contact details can be kept from visitors, beside links of connected pages. */
export const contactDetails = ['email', 'phone', 'address'] as const
export type ContactDetail = (typeof contactDetails)[number]

export const imageSlots = ['logoImage', 'backgroundImage', 'profileImage'] as const
export type ImageSlot = (typeof imageSlots)[number]
