import type { SiteSection } from '@flashsheet/contracts/website/limits'

/** The rules of docs/product/website.md once more, as simply as possible and without the product's code. */

export const second = 1000
export const day = 86_400_000

export type Flash = { title: string; price: string; isTaken: boolean }
export type Entry = {
  /** The media item. */
  id: string
  /** Grows with each entry; the entry of an item that was removed and added again is another one. */
  nth: number
  alt: string
  flash: Flash | null
  /** Whether its public files are made. */
  isPublic: boolean
}
export type Spot = { place: string; from: string; to: string }
export type Profile = {
  name: string
  shopName: string
  domainName: string
  about: string
  email: string
  phone: string
}
export type Place = { shopAddress: string; city: string; state: string; zip: string }
export type Images = { logoImage: string | null; backgroundImage: string | null; profileImage: string | null }
export type Sections = {
  shown: readonly SiteSection[]
  services: { name: string; price: string; note: string }[]
  questions: { question: string; answer: string }[]
  aftercare: string
  guestSpots: Spot[]
}
/** A save: the sections that it sends. */
export type Save = {
  published?: boolean
  personalInfo?: Profile
  address?: Place
  images?: Images
  layout?: string
  hidden?: readonly string[]
  sections?: Sections
}
export type Site = {
  published: boolean
  profile: Profile
  place: Place
  images: Images
  layout: string
  hidden: readonly string[]
  sections: Sections
}
export type ArtistModel = {
  site: Site | undefined
  gallery: Entry[]
  /** The items of the library. */
  media: string[]
  /** Pictures uploaded for the site. */
  pictures: { url: string; at: number }[]
  takesBookings: boolean
  /** Names given up, the newest first. */
  former: { name: string; at: number }[]
  plan: 'studio' | 'small'
  status: 'active' | 'past_due' | 'unpaid' | 'canceled'
  closedAt: number | null
  isActive: boolean
  /** Staff deleted the account; its rows are removed later. */
  isDeleted: boolean
  isPurged: boolean
}
export type World = { artists: ArtistModel[]; nth: number }
export type Answer = { status: number; gallery?: string[] | undefined }

export const newArtist = (): ArtistModel => ({
  site: undefined,
  gallery: [],
  media: [],
  pictures: [],
  takesBookings: true,
  former: [],
  plan: 'studio',
  status: 'active',
  closedAt: null,
  isActive: true,
  isDeleted: false,
  isPurged: false,
})

const hasSite = ({ plan, status }: ArtistModel) => plan === 'studio' && (status === 'active' || status === 'past_due')
/** The status of a refusal of everything that changes the site; undefined: the artist may. */
export function refusal({ isActive, isDeleted, plan, status }: ArtistModel): number | undefined {
  if (!isActive || isDeleted) return 401
  return plan === 'studio' && status === 'active' ? undefined : 403
}

export function save({ artists }: World, which: number, input: Save, now: number): Answer {
  const artist = artists[which]!
  const refused = refusal(artist)
  if (refused !== undefined) return { status: refused }
  if (!artist.site && !input.personalInfo) return { status: 400 }
  for (const url of Object.values(input.images ?? {}))
    if (url !== null && !artist.pictures.some((one) => one.url === url)) return { status: 400 }
  const before = artist.site?.profile.domainName
  const name = input.personalInfo?.domainName ?? before!
  const others = artists.filter((one) => one !== artist && !one.isPurged)
  if (others.some((one) => one.site?.profile.domainName === name)) return { status: 409 }
  if (
    name !== before &&
    others.some((one) => one.former.some((left) => left.name === name && left.at > now - 30 * day))
  )
    return { status: 409 }
  if (name !== before) {
    for (const one of artists) one.former = one.former.filter((left) => left.name !== name)
    if (before !== undefined)
      artist.former = [{ name: before, at: now }, ...artist.former.filter((left) => left.name !== before)].slice(0, 5)
  }
  const old: Site = artist.site ?? {
    published: false,
    profile: input.personalInfo!,
    place: { shopAddress: '', city: '', state: '', zip: '' },
    images: { logoImage: null, backgroundImage: null, profileImage: null },
    layout: 'gallery',
    hidden: [],
    sections: {
      shown: ['work', 'about', 'book', 'contact'],
      services: [],
      questions: [],
      aftercare: '',
      guestSpots: [],
    },
  }
  artist.site = {
    published: input.published ?? (input.personalInfo ? true : old.published),
    profile: input.personalInfo ?? old.profile,
    place: input.address ?? old.place,
    images: input.images ?? old.images,
    layout: input.layout ?? old.layout,
    hidden: input.hidden ?? old.hidden,
    sections: input.sections ?? old.sections,
  }
  return { status: 200 }
}

const galleryOf = ({ gallery }: ArtistModel) => gallery.map(({ id }) => id)

/** A change of the gallery; `change` returns whether there is something to change. */
function changeGallery(world: World, which: number, change: (artist: ArtistModel) => boolean): Answer {
  const artist = world.artists[which]!
  const status = refusal(artist)
  if (status !== undefined) return { status }
  return change(artist) ? { status: 200, gallery: galleryOf(artist) } : { status: 404 }
}

export const add = (world: World, which: number, ids: readonly string[]): Answer =>
  changeGallery(world, which, (artist) => {
    const own = ids.filter((id) => artist.media.includes(id))
    for (const id of own)
      if (!artist.gallery.some((one) => one.id === id))
        artist.gallery.push({ id, nth: (world.nth += 1), alt: '', flash: null, isPublic: false })
    return own.length > 0
  })

export const remove = (world: World, which: number, ids: readonly string[]): Answer =>
  changeGallery(world, which, (artist) => {
    artist.gallery = artist.gallery.filter(({ id }) => !ids.includes(id))
    return true
  })

export const reorder = (world: World, which: number, ids: readonly string[]): Answer =>
  changeGallery(world, which, (artist) => {
    const first = [...new Set(ids)].flatMap((id) => artist.gallery.find((one) => one.id === id) ?? [])
    artist.gallery = [...first, ...artist.gallery.filter((one) => !first.includes(one))]
    return true
  })

export const change = (world: World, which: number, id: string, to: Partial<Pick<Entry, 'alt' | 'flash'>>): Answer =>
  changeGallery(world, which, (artist) => {
    const entry = artist.gallery.find((one) => one.id === id)
    if (entry) Object.assign(entry, to)
    return entry !== undefined
  })

export function deleteMedia({ artists }: World, which: number, ids: readonly string[]): Answer {
  const artist = artists[which]!
  if (!artist.isActive || artist.isDeleted) return { status: 401 }
  if (artist.status !== 'active') return { status: 403 }
  if (!ids.some((id) => artist.media.includes(id))) return { status: 404 }
  artist.media = artist.media.filter((id) => !ids.includes(id))
  artist.gallery = artist.gallery.filter(({ id }) => !ids.includes(id))
  return { status: 200 }
}

export function sweepPictures({ artists }: World, now: number): Answer {
  for (const artist of artists) {
    const used: (string | null)[] = Object.values(artist.site?.images ?? {})
    artist.pictures = artist.pictures.filter(({ url, at }) => used.includes(url) || at > now - 7 * day)
  }
  return { status: 200 }
}

/** `after` with the pictures that sites used before: a sweep may not see yet that a site stops using them meanwhile. */
export function withFreedPictures(before: World, after: World): World {
  const world = structuredClone(after)
  for (const [which, { site, pictures }] of before.artists.entries()) {
    const used: (string | null)[] = Object.values(site?.images ?? {})
    const artist = world.artists[which]!
    artist.pictures = pictures.filter(({ url }) => used.includes(url) || artist.pictures.some((one) => one.url === url))
  }
  return world
}

export function setBookings({ artists }: World, which: number, takesBookings: boolean): Answer {
  const status = refusal(artists[which]!)
  if (status !== undefined) return { status }
  artists[which]!.takesBookings = takesBookings
  return { status: 200 }
}

export function setPlan(
  { artists }: World,
  which: number,
  to: Pick<ArtistModel, 'plan' | 'status'>,
  now: number,
): Answer {
  const artist = artists[which]!
  const had = hasSite(artist)
  Object.assign(artist, to)
  if (hasSite(artist)) artist.closedAt = null
  else if (had) artist.closedAt = now
  return { status: 200 }
}

export type Found =
  | { state: 'none' | 'hidden' | 'gone' }
  | { state: 'moved'; to: string }
  | { state: 'open' | 'holding'; artist: ArtistModel; which: number }

/** What a visitor gets at a name. */
export function visit({ artists }: World, name: string, now: number): Found {
  const which = artists.findIndex((one) => !one.isPurged && one.site?.profile.domainName === name)
  if (which === -1) {
    const moved = artists.find((one) => !one.isPurged && one.former.some((left) => left.name === name))
    return moved?.site ? { state: 'moved', to: moved.site.profile.domainName } : { state: 'none' }
  }
  const artist = artists[which]!
  if (!artist.site?.published || !artist.isActive || artist.isDeleted) return { state: 'hidden' }
  if (hasSite(artist)) return { state: 'open', artist, which }
  return now - (artist.closedAt ?? now) < 30 * day ? { state: 'holding', artist, which } : { state: 'gone' }
}

/** Whether the public may see the artist's pictures. */
export const isOpen = (artist: ArtistModel): boolean =>
  !artist.isPurged && !artist.isDeleted && artist.isActive && artist.site?.published === true && hasSite(artist)

/** What a home page shows. */
export type Shown = {
  name: string
  where: string
  sections: string[]
  about: string
  email: string
  phone: string
  street: string
  /** The alternative texts of the works, and the titles of flash. */
  work: string[]
  flash: string[]
  images: { logo: string; background: string; profile: string }
  services: string[]
  spots: string[]
  canBook: boolean
}

export function shown({ site, gallery, takesBookings }: ArtistModel, now: number): Shown {
  const { profile, place, images, layout, hidden, sections } = site!
  const isOn = (section: SiteSection) => sections.shown.includes(section)
  const visible = gallery.filter((one) => one.isPublic)
  const flash = visible.filter((one) => one.flash !== null && isOn('flash'))
  const work = isOn('work') ? visible.filter((one) => !flash.includes(one)) : []
  const lastDay = new Date(now - 12 * 3_600_000).toISOString().slice(0, 10)
  const spots = sections.guestSpots.filter((one) => one.to >= lastDay)
  const isShown = (what: string) => !hidden.includes(what)
  const email = isShown('email') ? profile.email : ''
  const phone = isShown('phone') ? profile.phone : ''
  const street = isShown('address') ? place.shopAddress : ''
  const hasMap = isShown('address') && (place.shopAddress !== '' || place.city !== '')
  const hasPortrait = images.profileImage !== null && layout !== 'portrait'
  const content: Record<SiteSection, boolean> = {
    work: work.length > 0,
    flash: flash.length > 0,
    services: sections.services.length > 0,
    about: profile.about !== '' || hasPortrait,
    guestSpots: spots.length > 0,
    hours: false,
    questions: sections.questions.length > 0,
    aftercare: sections.aftercare !== '',
    // On an otherwise empty page it would only repeat the button.
    book: takesBookings && (work.length + flash.length > 0 || profile.about !== '' || images.profileImage !== null),
    contact: email !== '' || phone !== '' || hasMap,
  }
  const on = sections.shown.filter((one) => content[one])
  const onPage = (section: SiteSection, text: string) => (on.includes(section) ? text : '')
  return {
    name: profile.name,
    where: [profile.shopName, [place.city, place.state].filter(Boolean).join(', ')].filter(Boolean).join(' · '),
    sections: on,
    about: onPage('about', profile.about),
    email: onPage('contact', email),
    phone: onPage('contact', phone),
    street: onPage('contact', street),
    work: on.includes('work')
      ? work.map((one, at) => one.alt || `Work by ${profile.name}, ${at + 1} of ${work.length}`)
      : [],
    flash: on.includes('flash')
      ? flash.map(
          ({ flash: one }) => `${one!.title} ${one!.price} ${one!.isTaken ? 'taken' : takesBookings ? 'book' : ''}`,
        )
      : [],
    images: {
      logo: images.logoImage ?? '',
      background: images.backgroundImage ?? '',
      profile:
        images.profileImage !== null && (layout === 'portrait' || on.includes('about')) ? images.profileImage : '',
    },
    services: on.includes('services') ? sections.services.map((one) => one.name) : [],
    spots: on.includes('guestSpots') ? spots.map((one) => one.place) : [],
    canBook: takesBookings,
  }
}
