import type { defaultBranding } from '@flashsheet/contracts/palette'
import { siteLayouts, sitePaletteIds, sitePalettes } from '@flashsheet/contracts/site-design'
import { type ImageSlot, imageSlots, siteLimits } from '@flashsheet/contracts/website/limits'
import { SaveSite, Site, type SiteImage, TypedSections } from '@flashsheet/contracts/website/schema'
import { z } from 'zod'
import { tryStorage } from '../../lib/try-storage.ts'
import { fieldErrors } from '../../lib/validation.ts'

/** The values of the builder's form, without the nesting of `Site`. */
export const SiteValues = z.object({
  ...Site.shape.personalInfo.shape,
  ...Site.shape.address.shape,
  ...Site.shape.branding.shape,
  layout: z.enum(siteLayouts),
  palette: z.enum(sitePaletteIds).nullable(),
  hiddenLinks: z.array(z.string()),
  ...TypedSections.shape,
  logoImage: z.custom<SiteImage | null>(),
  backgroundImage: z.custom<SiteImage | null>(),
  profileImage: z.custom<SiteImage | null>(),
  published: z.boolean(),
})
export type SiteValues = z.infer<typeof SiteValues>
export type SiteField = keyof SiteValues
export type SectionValues = z.infer<typeof TypedSections>

/** Unsaved changes. Holds edited fields only, so that the other fields show what another device has saved. */
export type SiteChanges = Partial<SiteValues>

/** `base`: the saved values from which the changes began. */
export type SiteDraft = { changes: SiteChanges; base: SiteChanges }

export const colorFields = [
  'backgroundColor',
  'textColor',
  'buttonColor',
  'hoverColor',
] as const satisfies readonly (keyof typeof defaultBranding)[]

/** The form of a saved site. A site that was never saved starts as published, in the first palette. */
export function valuesOf(site: Site): SiteValues {
  const isNew = site.personalInfo.domainName === ''
  return {
    ...site.personalInfo,
    ...site.address,
    ...site.branding,
    ...site.images,
    ...site.design,
    ...(isNew && { palette: sitePaletteIds[0], ...sitePalettes[sitePaletteIds[0]].colors }),
    hiddenLinks: site.links.hidden,
    ...site.sections,
    published: site.published || isNew,
  }
}

/** Removes changes that are equal to the saved values. With `comparedFields`, changes of other fields are kept. */
export function omitUnchanged(
  changes: SiteChanges,
  saved: SiteValues,
  comparedFields?: readonly string[],
): SiteChanges {
  const isKept = ([field, value]: [string, unknown]) =>
    (comparedFields !== undefined && !comparedFields.includes(field)) || !isSame(value, saved[field as SiteField])
  return Object.fromEntries(Object.entries(changes).filter(isKept))
}

/** The values of the changed fields. */
export function valuesOfChanged(changes: SiteChanges, values: SiteValues): SiteChanges {
  return Object.fromEntries(Object.entries(values).filter(([field]) => field in changes))
}

/** The saved values of the changed fields that another device has changed since the changes began. */
export function changedElsewhere({ changes, base }: SiteDraft, saved: SiteValues): SiteChanges {
  const began = valuesOfChanged(omitUnchanged(changes, saved), { ...saved, ...base })
  return valuesOfChanged(omitUnchanged(began, saved), saved)
}

/** Images are compared by their URL. */
function isSame(one: unknown, other: unknown): boolean {
  const urlOf = (value: unknown) => (typeof value === 'object' && value !== null && 'url' in value ? value.url : value)
  const [a, b] = [urlOf(one), urlOf(other)]
  return a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b))
}

/** The body of `POST /api/websitebuilder`. */
export function saveInput(values: SiteValues): z.input<typeof SaveSite> {
  const { name, shopName, domainName, about, email, phone, shopAddress, city, state, zip, published } = values
  const { backgroundColor, textColor, buttonColor, hoverColor, layout, palette } = values
  const { logoImage, backgroundImage, profileImage, hiddenLinks } = values
  return {
    published,
    personalInfo: { name, shopName, domainName, about, email: email.trim(), phone },
    address: { shopAddress, city, state, zip },
    branding: { backgroundColor, textColor, buttonColor, hoverColor },
    images: { logoImage, backgroundImage, profileImage },
    design: { layout, palette },
    links: { hidden: hiddenLinks },
    sections: withoutEmptyRows(values),
  }
}

export function withoutEmptyRows({ shown, services, questions, aftercare, guestSpots }: SectionValues): SectionValues {
  const filled = <Row extends Record<string, string>>(rows: Row[]) =>
    rows.filter((row) => Object.values(row).some((text) => text.trim() !== ''))
  return {
    shown,
    services: filled(services),
    questions: filled(questions),
    aftercare,
    guestSpots: filled(guestSpots),
  }
}

/** The form's values in the body of a save: the reverse of `saveInput`. */
export function sentValues(sent: z.input<typeof SaveSite>): SiteChanges {
  return {
    ...sent.personalInfo,
    ...sent.address,
    ...sent.branding,
    ...sent.images,
    ...sent.design,
    ...(sent.links && { hiddenLinks: sent.links.hidden }),
    ...sent.sections,
    ...(sent.published === undefined ? {} : { published: sent.published }),
  } as SiteChanges
}

/** Error messages by field. Fields of a section have their path as name: `sections.services.0.name`. */
export type SiteErrors = Partial<Record<SiteField | `sections.${string}`, string>>

/** The props of a part of the builder's form. */
export type SiteFieldsProps = {
  values: SiteValues
  saved: SiteValues
  errors: SiteErrors
  onChange: (changes: SiteChanges) => void
}

/** Converts paths of the request (`personalInfo.name`) to names of the form (`name`). */
export function fieldMessages(errors: Record<string, string>): SiteErrors {
  return Object.fromEntries(
    Object.entries(errors).map(([path, message]) => [
      path.startsWith('sections.') ? path : (path.split('.').at(1) ?? path),
      message,
    ]),
  )
}

export function siteErrors(values: SiteValues): SiteErrors {
  return fieldMessages(fieldErrors(SaveSite, saveInput(values)))
}

/** Lower-cases typed text, turns separators into hyphens and drops all other characters. */
export function toDomainName(typed: string): string {
  return typed
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[\s_.]+/g, '-')
    .replaceAll(/[^a-z0-9-]/g, '')
    .slice(0, siteLimits.domainName.max)
}

const Stored = SiteValues.partial().extend({ base: SiteValues.partial().default({}) })

/** Reads a stored draft. Returns an empty one if it is missing or invalid. Drafts of former versions have no `base`, and nested sections. */
export function parseStoredDraft(stored: string | null): SiteDraft {
  const json = tryStorage(() => JSON.parse(stored ?? '{}') as { sections?: object } | null)
  const { base = {}, ...changes } = tryStorage(() => Stored.parse({ ...json?.sections, ...json })) ?? {}
  const entries = Object.entries(changes).filter(([field, value]) => !isSlot(field) || isImage(value))
  return { changes: Object.fromEntries(entries), base }
}

const isSlot = (field: string): field is ImageSlot => (imageSlots as readonly string[]).includes(field)
const isImage = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && 'url' in value && typeof value.url === 'string')
