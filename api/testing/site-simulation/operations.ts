import { defaultAvailability } from '@flashsheet/contracts/appointments/limits'
import { siteLayouts } from '@flashsheet/contracts/site-design'
import { siteSections } from '@flashsheet/contracts/website/limits'
import { notifyLive } from '@flashsheet/db/live'
import { subscriptions } from '@flashsheet/db/schema/subscription'
import { TRPCClientError } from '@trpc/client'
import { eq } from 'drizzle-orm'
import type { System } from '../../core/context.ts'
import { ownerScope } from '../../core/scope.ts'
import { sweepSiteImages } from '../../features/website/service/site-images.ts'
import type { AppRouter } from '../../router.ts'
import { createVisitor, type Artist, type Visitor } from '../actors.ts'
import type { TestApp } from '../app.ts'
import type { Random } from '../random.ts'
import * as model from './model.ts'
import type { Answer, Save, World } from './model.ts'
import type { Process } from './pages.ts'

/** One run: artists of the product, and what the model knows of them. */
export type Run = {
  app: TestApp
  processes: readonly Process[]
  systems: readonly System[]
  random: Random
  artists: Artist[]
  staff: Artist
  names: readonly string[]
  world: World
  /** Numbers that make every text unique. */
  count: number
  saves: { which: number; input: Save }[]
  /** Artists whose sessions ended. */
  loggedOut: Set<number>
}

/** `act` is the model's version of `send`; a deletion of rows by a job has no answer. */
export type Operation = {
  name: string
  send: (at: Process) => Promise<Answer>
  act: (world: World, now: number) => Answer
  /** Nobody could say which of two concurrent changes of one setting was the last. */
  setting?: string
  /** Not sent to a web process, which learns of it by a hint. */
  isOutside?: true
}

const kinds = [
  ...(['save', 'save', 'save', 'save', 'save', 'rename', 'rename', 'rename', 'again', 'publish'] as const),
  ...(['add', 'add', 'remove', 'removeMany', 'reorder', 'describe', 'flash', 'deleteMedia', 'bookings'] as const),
  ...(['plan', 'plan', 'toggle', 'foreign', 'sweep'] as const),
]

export function randomOperation(run: Run): Operation | undefined {
  const { random, world } = run
  const which = random.below(world.artists.length)
  const artist = world.artists[which]!
  const kind = random.pick(kinds)
  const { gallery, media } = artist
  const listed = gallery.length > 0 ? random.pick(gallery).id : undefined
  switch (kind) {
    case 'save':
      return saveOperation(run, which, randomSave(run, which))
    case 'rename':
      return saveOperation(run, which, {
        personalInfo: { ...randomProfile(run, which), domainName: random.pick(run.names) },
      })
    // A tab that was opened earlier, or a repeat after a lost answer.
    case 'again': {
      const earlier = run.saves.filter((one) => one.which === which)
      return earlier.length > 0 ? saveOperation(run, which, random.pick(earlier).input) : undefined
    }
    case 'publish':
      return artist.site && saveOperation(run, which, { published: !artist.site.published })
    case 'foreign': {
      const [other] = world.artists[(which + 1) % world.artists.length]!.pictures
      return (
        other &&
        saveOperation(run, which, { images: { logoImage: other.url, backgroundImage: null, profileImage: null } })
      )
    }
    case 'sweep':
      return sweepOperation(run)
    case 'bookings':
      return bookingsOperation(run, which, !artist.takesBookings)
    case 'plan':
      return planOperation(run, which)
    case 'toggle':
      return artist.isDeleted ? undefined : toggleOperation(run, which)
    case 'add':
      return media.length > 0 ? galleryOperation(run, which, 'add', [random.pick(media)]) : undefined
    case 'remove':
    case 'removeMany':
    case 'deleteMedia':
      return listed === undefined ? undefined : galleryOperation(run, which, kind, [listed])
    case 'reorder': {
      const ids = gallery.map(({ id }) => ({ id, key: random.next() })).toSorted((a, b) => a.key - b.key)
      return ids.length > 1
        ? galleryOperation(
            run,
            which,
            kind,
            ids.map(({ id }) => id),
          )
        : undefined
    }
    case 'describe':
      return listed === undefined
        ? undefined
        : changeOperation(run, which, listed, { alt: random.oneIn(4) ? '' : `Alt ${(run.count += 1)}.` })
    case 'flash': {
      const flash = { title: `Piece ${(run.count += 1)}.`, price: random.pick(['', '$90']), isTaken: random.oneIn(3) }
      return listed === undefined
        ? undefined
        : changeOperation(run, which, listed, { flash: random.oneIn(3) ? null : flash })
    }
  }
}

const unique = (run: Run, word: string) => (run.random.oneIn(3) ? '' : `${word} ${(run.count += 1)}.`)

export function randomProfile(run: Run, which: number) {
  const n = (run.count += 1)
  return {
    name: `Artist${which} ${n}.`,
    shopName: unique(run, 'Shop'),
    domainName: run.world.artists[which]!.site?.profile.domainName ?? run.random.pick(run.names),
    about: unique(run, 'About'),
    email: run.random.oneIn(3) ? '' : `mail${n}.@x.example`.replace('.@', '@'),
    phone: run.random.oneIn(3) ? '' : `+1 718 555 ${String(n).padStart(4, '0')}`,
  }
}

function randomSave(run: Run, which: number): Save {
  const { random, world } = run
  const { pictures } = world.artists[which]!
  const anyPicture = () => (pictures.length > 0 && random.chance(0.6) ? random.pick(pictures).url : null)
  const input: Save = {}
  if (random.oneIn(2)) input.personalInfo = randomProfile(run, which)
  if (random.oneIn(3))
    input.address = { shopAddress: unique(run, 'Street'), city: unique(run, 'City'), state: 'NY', zip: '' }
  if (random.oneIn(2))
    input.images = { logoImage: anyPicture(), backgroundImage: anyPicture(), profileImage: anyPicture() }
  if (random.oneIn(4)) input.layout = random.pick(siteLayouts)
  if (random.oneIn(4)) input.hidden = ['email', 'phone', 'address'].filter(() => random.oneIn(2))
  if (random.oneIn(2)) {
    const ids = siteSections.filter((one) => one !== 'hours' && random.chance(0.7))
    const from = new Date(run.app.clock.now().getTime() + random.whole(-3, 8) * model.day).toISOString().slice(0, 10)
    input.sections = {
      shown: ids
        .map((id) => ({ id, key: random.next() }))
        .toSorted((a, b) => a.key - b.key)
        .map(({ id }) => id),
      services: random.oneIn(2) ? [] : [{ name: `Service ${(run.count += 1)}.`, price: '', note: '' }],
      questions: random.oneIn(2) ? [] : [{ question: `Question ${(run.count += 1)}.`, answer: 'Yes' }],
      aftercare: unique(run, 'Aftercare'),
      guestSpots: random.oneIn(2) ? [] : [{ place: `Spot ${(run.count += 1)}.`, from, to: from }],
    }
  }
  if (random.oneIn(8)) input.published = random.oneIn(2)
  return input
}

/** The artist in a browser at this process. */
export function visitorAt(run: Run, which: number, { port }: Process): Visitor {
  const visitor = createVisitor(`http://localhost:${port}`)
  for (const [name, value] of run.artists[which]!.cookies) visitor.cookies.set(name, value)
  return visitor
}

const image = (url: string | null) => (url === null ? null : { url })

export function saveOperation(run: Run, which: number, input: Save): Operation {
  if (!run.saves.some((one) => one.input === input)) run.saves.push({ which, input })
  const { layout, hidden, images, ...rest } = input
  const body = {
    ...rest,
    ...(layout !== undefined && { design: { layout } }),
    ...(hidden && { links: { hidden } }),
    ...(images && {
      images: {
        logoImage: image(images.logoImage),
        backgroundImage: image(images.backgroundImage),
        profileImage: image(images.profileImage),
      },
    }),
  }
  const byRest = run.random.oneIn(2)
  return {
    name: `${which} saves ${JSON.stringify(input)}`,
    act: (world, now) => model.save(world, which, input, now),
    send: async (at) => {
      const visitor = visitorAt(run, which, at)
      if (byRest) return { status: (await visitor.post('/api/websitebuilder', body)).status }
      return await statusOf(visitor.trpc.website.save.mutate(body as never))
    },
  }
}

function galleryOperation(
  run: Run,
  which: number,
  kind: 'add' | 'remove' | 'removeMany' | 'reorder' | 'deleteMedia',
  ids: string[],
): Operation {
  const act = {
    add: model.add,
    remove: model.remove,
    removeMany: model.remove,
    reorder: model.reorder,
    deleteMedia: model.deleteMedia,
  }[kind]
  return {
    name: `${which} ${kind} ${ids.map((id) => id.slice(-4)).join(' ')}`,
    act: (world) => act(world, which, ids),
    send: async (at) => {
      const visitor = visitorAt(run, which, at)
      if (kind === 'removeMany') return await statusOf(visitor.trpc.website.removeFromGallery.mutate({ ids }))
      if (kind === 'reorder') return await statusOf(visitor.trpc.website.reorderGallery.mutate({ ids }))
      const { status, body } =
        kind === 'add'
          ? await visitor.post<{ gallery?: string[] }>('/api/websitebuilder/gallery', { ids })
          : kind === 'remove'
            ? await visitor.delete<{ gallery?: string[] }>(`/api/websitebuilder/gallery/${ids[0]}`)
            : await visitor.delete<{ gallery?: string[] }>('/api/media', { ids })
      return { status, gallery: body.gallery }
    },
  }
}

function changeOperation(
  run: Run,
  which: number,
  id: string,
  to: { alt: string } | { flash: model.Flash | null },
): Operation {
  return {
    name: `${which} ${JSON.stringify(to)} ${id.slice(-4)}`,
    act: (world) => model.change(world, which, id, to),
    send: async (at) => {
      const { website } = visitorAt(run, which, at).trpc
      const call =
        'alt' in to
          ? website.describeGalleryItem.mutate({ id, altText: to.alt })
          : website.setFlash.mutate({ id, flash: to.flash })
      return await statusOf(call.then((list) => ({ gallery: list.map((one) => one._id) })))
    },
  }
}

const bookingsOperation = (run: Run, which: number, takesBookings: boolean): Operation => ({
  name: `${which} ${takesBookings ? 'takes' : 'refuses'} bookings`,
  setting: `bookings ${which}`,
  act: (world) => model.setBookings(world, which, takesBookings),
  send: async (at) => ({
    status: (await visitorAt(run, which, at).put('/api/availability', { ...defaultAvailability, takesBookings }))
      .status,
  }),
})

/** What a Stripe event does to the artist's subscription (`writeSubscriptions` and its hooks). */
function planOperation(run: Run, which: number): Operation {
  const { random, world } = run
  const { plan, status } = world.artists[which]!
  const isOpen = plan === 'studio' && status === 'active'
  const to = isOpen
    ? random.pick([
        { plan: 'studio', status: 'past_due' },
        { plan: 'studio', status: 'unpaid' },
        { plan: 'studio', status: 'canceled' },
        { plan: 'small', status: 'active' },
      ] as const)
    : random.pick([
        { plan: 'studio', status: 'active' },
        { plan: 'studio', status: 'active' },
        { plan: 'studio', status: 'canceled' },
        { plan: 'small', status: 'active' },
      ] as const)
  return {
    name: `${which} has ${to.plan} ${to.status}`,
    setting: `plan ${which}`,
    isOutside: true,
    act: (all, now) => model.setPlan(all, which, to, now),
    send: async () => {
      const system = random.pick(run.systems)
      const owner = ownerScope(run.artists[which]!.id)
      await system.db.transaction(async (tx) => {
        await tx
          .update(subscriptions)
          .set({ plan: to.plan === 'studio' ? 'complete-shading' : 'social-line-work', status: to.status })
          .where(eq(subscriptions.userId, owner))
        const isOpenAt = (one: { plan: string; status: string }) =>
          one.plan === 'studio' && ['active', 'past_due'].includes(one.status)
        if (isOpenAt({ plan, status }) && !isOpenAt(to)) await system.hooks.run('studioClosed', system, tx, { owner })
        if (!isOpenAt({ plan, status }) && isOpenAt(to)) await system.hooks.run('studioOpened', system, tx, { owner })
        await notifyLive(tx, { owner, topic: 'subscription' })
      })
      return { status: 200 }
    },
  }
}

/** Deletes pictures that are a week old and that no site uses. */
const sweepOperation = (run: Run): Operation => ({
  name: 'sweep of pictures',
  isOutside: true,
  act: model.sweepPictures,
  send: async () => {
    await Promise.all(run.systems.map(async (system) => await sweepSiteImages(system)))
    return { status: 200 }
  },
})

function toggleOperation(run: Run, which: number): Operation {
  const isDeletion = run.random.oneIn(3)
  const { id } = run.artists[which]!
  return {
    name: `staff ${isDeletion ? 'delete' : 'toggle'} ${which}`,
    setting: `account ${which}`,
    act: ({ artists }) => {
      const artist = artists[which]!
      if (isDeletion) artist.isDeleted = true
      else artist.isActive = !artist.isActive
      return { status: 200 }
    },
    send: async ({ port }) => {
      run.loggedOut.add(which)
      const staff = createVisitor(`http://localhost:${port}`)
      for (const [name, value] of run.staff.cookies) staff.cookies.set(name, value)
      if (isDeletion) return { status: (await staff.delete(`/api/admin/users/${id}`)).status }
      return { status: (await staff.fetch(`/api/admin/users/${id}/toggle-status`, { method: 'PATCH' })).status }
    },
  }
}

async function statusOf(call: Promise<unknown>): Promise<Answer> {
  try {
    const answer = (await call) as { gallery?: string[]; personalInfo?: unknown }
    return { status: 200, gallery: answer.personalInfo ? undefined : answer.gallery }
  } catch (error) {
    if (error instanceof TRPCClientError) {
      const { data, meta } = error as TRPCClientError<AppRouter>
      return { status: data?.httpStatus ?? (meta?.['response'] as Response | undefined)?.status ?? 0 }
    }
    throw error
  }
}
