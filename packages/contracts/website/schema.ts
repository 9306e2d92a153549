import { z } from 'zod'
import { IdParam } from '../input.ts'
import { atMost, oneLine, requiredText, wellFormed } from '../max-length.ts'
import { defaultBranding } from '../palette.ts'
import { sitePaletteIds, siteLayouts } from '../site-design.ts'
import { galleryLimits, siteLimits, siteSections } from './limits.ts'
import { galleryMessages, siteMessages } from './messages.ts'

/** The names of the default colours are accepted as colours. */
const colorKeywords: Record<string, string> = {
  black: '#000000',
  white: '#ffffff',
  red: '#ff0000',
  darkred: '#8b0000',
  'dark red': '#8b0000',
}

/** `#rgb`, `#rrggbb` or one of those words, as `#rrggbb` in lower case. */
export const Color = z
  .string()
  .trim()
  .toLowerCase()
  .transform((text) => colorKeywords[text] ?? text.replace(/^#([0-9a-f])([0-9a-f])([0-9a-f])$/, '#$1$1$2$2$3$3'))
  .pipe(z.string().regex(/^#[0-9a-f]{6}$/, 'Please choose a colour such as #b3241c.'))

/** The answer of every gallery call: the media ids in the artist's order. */
export const Gallery = z.object({ gallery: z.array(z.uuid()) })
export type Gallery = z.infer<typeof Gallery>

/** Free text. */
const Price = z.string().trim().check(wellFormed).max(siteLimits.price, siteMessages.priceTooLong).default('')

/** A drawing of the gallery that a client can have tattooed. */
export const Flash = z.object({
  title: requiredText(galleryMessages.flashTitle, siteLimits.line, siteMessages.tooLong),
  price: Price,
  /** Shown, but cannot be booked. */
  isTaken: z.boolean().default(false),
})
export type Flash = z.infer<typeof Flash>

/** An entry of the gallery, for its artist; the media item has the same `_id`. */
export const GalleryItem = z.object({
  _id: z.uuid(),
  altText: z.string(),
  /** False until the public renditions exist. */
  isPublic: z.boolean(),
  /** Null: the entry is not flash. */
  flash: z.object({ title: z.string(), price: z.string(), isTaken: z.boolean() }).nullable(),
})
export type GalleryItem = z.infer<typeof GalleryItem>

export const DescribeGalleryItem = IdParam.extend({
  altText: z.string().trim().check(atMost(galleryLimits.altText, galleryMessages.altTextTooLong)),
})
export type DescribeGalleryItem = z.infer<typeof DescribeGalleryItem>

/** Marks an entry as flash, or as none with null. `id` is the media id. */
export const SetFlash = IdParam.extend({ flash: Flash.nullable() })
export type SetFlash = z.infer<typeof SetFlash>

/** Names that would mislead visitors, or that our own hosts may need. */
const reservedNames = new Set(
  `about abuse account accounts admin administrator api app apps asset assets auth autoconfig autodiscover billing blog book booking
  bookings cdn careers contact dashboard developer dns docs download email faq faqs files flashsheet forum
  forums ftp help home host hostmaster imap info invoice jobs legal localhost login logout mail mailer mailhost manage
  mobile mx news newsletter noc noreply ns1 ns2 null official pay payment payments ping pop pop3 postmaster press preview pricing privacy
  private readyz register sales security service services settings setup shop signin signup site sitemap sites smtp ssl staff
  staging static stats status store stripe subscribe support sysadmin system team terms tls trust undefined unsubscribe
  update upload uploads users verify web webmail webmaster website welcome wpad www www1 www2`
    .trim()
    .split(/\s+/),
)

/** The name of a site in its address: after /s/, or before the sites' domain. */
export const DomainName = z
  .string({ error: siteMessages.domainNameRequired })
  .trim()
  .min(1, siteMessages.domainNameRequired)
  // Hyphens in third and fourth place are refused: they mark names in another script, which can imitate other names.
  .regex(/^(?!..--)[a-z0-9][a-z0-9-]{1,38}[a-z0-9]$/, siteMessages.domainNameForm)
  .refine((name) => !reservedNames.has(name), siteMessages.domainNameReserved)

const Line = z.string().check(oneLine).trim().max(siteLimits.line, siteMessages.tooLong)

const PersonalInfo = z.object({
  name: requiredText(siteMessages.nameRequired, siteLimits.line, siteMessages.tooLong),
  shopName: Line.default(''),
  domainName: DomainName,
  about: z.string().trim().check(atMost(siteLimits.about, siteMessages.aboutTooLong)).default(''),
  /** Public. */
  email: z
    .string({ error: siteMessages.email })
    .trim()
    .pipe(
      z.union([z.literal(''), z.email(siteMessages.email).max(254, siteMessages.email)], { error: siteMessages.email }),
    )
    .default(''),
  phone: z
    .string()
    .trim()
    .regex(/^(?:[+(]?[\d(][\d\s().\-/]{3,30}(?:\s*(?:x|ext\.?)\s*\d{1,6})?)?$/i, siteMessages.phone)
    .default(''),
})

export const SiteAddress = z.object({
  shopAddress: Line.default(''),
  city: Line.default(''),
  state: Line.default(''),
  zip: Line.default(''),
})
export type SiteAddress = z.infer<typeof SiteAddress>

const SiteBranding = z.object({
  backgroundColor: Color.default(defaultBranding.backgroundColor),
  textColor: Color.default(defaultBranding.textColor),
  buttonColor: Color.default(defaultBranding.buttonColor),
  hoverColor: Color.default(defaultBranding.hoverColor),
})

/** The layout, and the palette (`sitePalettes`); without a palette (null) the site has only colours. */
const SiteDesign = z.object({
  layout: z.enum(siteLayouts, { error: siteMessages.layout }).default(siteLayouts[0]),
  palette: z.enum(sitePaletteIds, { error: siteMessages.palette }).nullable().default(null),
})

/** What visitors are not shown: `email`, `phone`, `address`, and links of connected pages as `platform:pageId`. */
export const SiteLinks = z.object({
  hidden: z
    .array(z.string().trim().min(1).max(300))
    .max(siteLimits.hiddenLinks)
    .transform((ids) => [...new Set(ids)])
    .default([]),
})

const Service = z.object({
  name: requiredText(siteMessages.serviceName, siteLimits.line, siteMessages.tooLong),
  price: Price,
  note: z.string().trim().check(wellFormed).max(siteLimits.serviceNote, siteMessages.noteTooLong).default(''),
})
const Question = z.object({
  question: requiredText(siteMessages.question, siteLimits.line, siteMessages.tooLong),
  answer: z
    .string({ error: siteMessages.answer })
    .trim()
    .check(wellFormed)
    .min(1, siteMessages.answer)
    .max(siteLimits.answer, siteMessages.answerTooLong),
})
const GuestSpot = z
  .object({
    place: requiredText(siteMessages.guestPlace, siteLimits.line, siteMessages.tooLong),
    /** First and last day, `YYYY-MM-DD`. */
    from: z.iso.date(siteMessages.guestFrom),
    to: z.iso.date(siteMessages.guestTo),
  })
  .refine((spot) => spot.from <= spot.to, { path: ['to'], error: siteMessages.guestTo })

/** The sections of the page that are shown, in this order, and the content of those with their own texts. */
export const SiteSections = z.object({
  shown: z
    .array(z.enum(siteSections, { error: siteMessages.section }))
    .refine((ids) => new Set(ids).size === ids.length, siteMessages.sectionTwice)
    .default(() => [...emptySections.shown]),
  services: z.array(Service).max(siteLimits.services).default([]),
  questions: z.array(Question).max(siteLimits.questions).default([]),
  aftercare: z
    .string()
    .trim()
    .check(wellFormed, atMost(siteLimits.aftercare, siteMessages.aftercareTooLong))
    .default(''),
  guestSpots: z.array(GuestSpot).max(siteLimits.guestSpots).default([]),
})
export type SiteSections = z.infer<typeof SiteSections>

/** The sections in answers, or while they are being typed: without limits. */
export const TypedSections = z.object({
  shown: z.array(z.enum(siteSections)),
  services: z.array(z.object({ name: z.string(), price: z.string(), note: z.string() })),
  questions: z.array(z.object({ question: z.string(), answer: z.string() })),
  aftercare: z.string(),
  guestSpots: z.array(z.object({ place: z.string(), from: z.string(), to: z.string() })),
})

/** The sections of a site before its artist chose any. */
export const emptySections: SiteSections = {
  shown: ['work', 'about', 'book', 'contact'],
  services: [],
  questions: [],
  aftercare: '',
  guestSpots: [],
}

/** An uploaded picture of the site, as its upload answered (`POST /api/websitebuilder/image`). */
export const SiteImage = z.object({
  url: z.string(),
  fileName: z.string(),
  size: z.number().int(),
  uploadedAt: z.string(),
})
export type SiteImage = z.infer<typeof SiteImage>

/** Of a `SiteImage` that is sent back only the address is read. Null, undefined or an empty address: no picture. */
const SiteImageChoice = z
  .object({ url: z.string().max(500) })
  .nullish()
  .transform((image) => (image?.url ? { url: image.url } : null))

const SiteImageChoices = z.object({
  logoImage: SiteImageChoice,
  backgroundImage: SiteImageChoice,
  profileImage: SiteImageChoice,
})

/** A save of the builder: any of the sections. A sent section replaces the stored one, a missing one does not change. */
export const SaveSite = z.object({
  published: z.boolean().optional(),
  personalInfo: PersonalInfo.optional(),
  address: SiteAddress.optional(),
  branding: SiteBranding.optional(),
  images: SiteImageChoices.optional(),
  /** A palette that is new to the site sets its colours, unless `branding` is sent too. */
  design: SiteDesign.optional(),
  links: SiteLinks.optional(),
  sections: SiteSections.optional(),
})
export type SaveSite = z.infer<typeof SaveSite>

const words = (most: number) =>
  z
    .string()
    .optional()
    .catch(undefined)
    .transform((text) => text?.trim().slice(0, most))
const TypedLine = words(siteLimits.line)
const ChosenColor = Color.optional().catch(undefined)

/** Unsaved input, for the preview: invalid values count as not changed. */
export const DraftSite = z.object({
  personalInfo: z
    .object({
      name: TypedLine,
      shopName: TypedLine,
      about: words(siteLimits.about),
      email: PersonalInfo.shape.email.optional().catch(undefined),
      phone: PersonalInfo.shape.phone.optional().catch(undefined),
    })
    .catch({ name: undefined, shopName: undefined, about: undefined, email: undefined, phone: undefined }),
  address: z
    .object({ shopAddress: TypedLine, city: TypedLine, state: TypedLine, zip: TypedLine })
    .catch({ shopAddress: undefined, city: undefined, state: undefined, zip: undefined }),
  branding: z
    .object({ backgroundColor: ChosenColor, textColor: ChosenColor, buttonColor: ChosenColor, hoverColor: ChosenColor })
    .catch({ backgroundColor: undefined, textColor: undefined, buttonColor: undefined, hoverColor: undefined }),
  images: SiteImageChoices.optional().catch(undefined),
  design: SiteDesign.optional().catch(undefined),
  links: SiteLinks.optional().catch(undefined),
  sections: SiteSections.optional().catch(undefined),
})
export type DraftSite = z.infer<typeof DraftSite>

/** The site in answers. */
export const Site = z.object({
  /** Media ids in the artist's order. */
  gallery: z.array(z.string()),
  published: z.boolean(),
  personalInfo: z.object({
    name: z.string(),
    shopName: z.string(),
    domainName: z.string(),
    about: z.string(),
    email: z.string(),
    phone: z.string(),
  }),
  address: z.object({ shopAddress: z.string(), city: z.string(), state: z.string(), zip: z.string() }),
  branding: z.object({
    backgroundColor: z.string(),
    textColor: z.string(),
    buttonColor: z.string(),
    hoverColor: z.string(),
  }),
  images: z.object({
    logoImage: SiteImage.nullable(),
    backgroundImage: SiteImage.nullable(),
    profileImage: SiteImage.nullable(),
  }),
  design: z.object({ layout: z.enum(siteLayouts), palette: z.enum(sitePaletteIds).nullable() }),
  links: z.object({ hidden: z.array(z.string()) }),
  sections: TypedSections,
})
export type Site = z.infer<typeof Site>

/** The text typed into the address field. The browser creates a `session` for each search. */
export const SuggestPlaces = z.object({ input: z.string().trim().min(3).max(200), session: z.uuid() })
export type SuggestPlaces = z.infer<typeof SuggestPlaces>

export const FindPlace = z.object({ placeId: z.string().regex(/^[\w-]{1,300}$/), session: z.uuid() })
export type FindPlace = z.infer<typeof FindPlace>

export const CheckDomainName = z.object({ domainName: z.string().max(200) })
export type CheckDomainName = z.infer<typeof CheckDomainName>

/** Whether the artist may have a name, the reason if not, and the address that it would have. */
export type DomainNameVerdict = { free: boolean; message: string | null; address: string }
