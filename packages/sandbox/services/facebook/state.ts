import type { Late } from '../../late.ts'
import type { Identity, IdentityPage, PublishedMedia, World } from '../../world.ts'

export type FacebookUser = { id: string; name: string; email: string; pages: string[] }
/** A Business Manager; its pages are not in `/me/accounts` (docs/networks/facebook.md). */
export type FacebookBusiness = { id: string; name: string; userId: string; pages: string[] }
export type FacebookPage = { id: string; name: string; username: string; category: string; tasks: string[] }

/** One consent: what one person let one app do, and with which pages. */
export type FacebookGrant = {
  id: string
  appId: string
  userId: string
  pages: string[]
  scopes: string[]
  declined: string[]
  revoked: boolean
}
export type FacebookCode = { grant: string; redirectUri: string; at: number; used: boolean }

/** `expiresAt` 0: no date of expiry. A page token of a long-lived user token has none. */
export type FacebookToken = {
  grant: string
  kind: 'user' | 'page'
  pageId: string
  long: boolean
  issuedAt: number
  expiresAt: number
  dead: '' | 'expired' | 'revoked'
}

export type FacebookPhoto = { id: string; pageId: string; at: number; post: string; alt: string; media: PublishedMedia }
export type FacebookPost = Late & {
  /** `{page}_{post}` */
  id: string
  pageId: string
  message: string
  at: number
  published: boolean
  photos: string[]
  /** The video or reel this post shows, '' otherwise */
  video: string
  permalink: string
}

export type FacebookVideo = Late & {
  id: string
  pageId: string
  edge: 'video_reels' | 'videos'
  createdAt: number
  title: string
  description: string
  /** Bytes the sender announced; -1 before it did */
  size: number
  media: PublishedMedia | null
  /** Why processing will end in an error; '' when it will not */
  refusal: string
  state: 'uploading' | 'uploaded' | 'processing' | 'ready' | 'error' | 'expired'
  /** What the publish call asked for */
  wants: 'PUBLISHED' | 'DRAFT' | 'SCHEDULED'
  /** When the publish call came; absent before it */
  askedAt?: number
  /** When processing ends; 0 before the publish call */
  readyAt: number
  publishedAt: number
  post: string
}

/** A session of the resumable upload API, or (`pageId` set) of the older three-phase video upload. */
export type FacebookUpload = {
  id: string
  appId: string
  length: number
  type: string
  lost: boolean
  handle: string
  media: PublishedMedia | null
  videoId: string
  at: number
}

export type FacebookState = {
  /** App id → its secret, learnt from the first complete code exchange */
  apps: Record<string, { secret: string }>
  users: Record<string, FacebookUser>
  pages: Record<string, FacebookPage>
  businesses: Record<string, FacebookBusiness>
  grants: Record<string, FacebookGrant>
  codes: Record<string, FacebookCode>
  tokens: Record<string, FacebookToken>
  /** `${grant} ${page} ${long}` → page token: asking again gives the same one */
  pageTokens: Record<string, { token: string }>
  photos: Record<string, FacebookPhoto>
  posts: Record<string, FacebookPost>
  videos: Record<string, FacebookVideo>
  /** Ids of videos whose processing has not ended */
  processing: Record<string, boolean>
  uploads: Record<string, FacebookUpload>
  handles: Record<string, { upload: string }>
  /** Page → its newest post, for the refusal of the same text twice in a row */
  lastPost: Record<string, { post: string }>
}

const allTasks = ['ADVERTISE', 'ANALYZE', 'CREATE_CONTENT', 'MESSAGING', 'MODERATE', 'MANAGE']

/** The seeded people and pages; nobody real. Tobin shows what a connect can meet: a role that cannot publish, a Business Manager's page. */
function initial(): FacebookState {
  const users: FacebookUser[] = [
    {
      id: '10226001845530121',
      name: 'Marlo Vance',
      email: 'marlo@blackquill.example',
      pages: ['104882637710001', '104882637710002'],
    },
    {
      id: '10226001845530122',
      name: 'Ines Calder',
      email: 'ines@saltandember.example',
      pages: ['104882637710003', '104882637710004'],
    },
    {
      id: '10226001845530123',
      name: 'Tobin Reyes',
      email: 'tobin@northneedle.example',
      pages: ['104882637710005', '104882637710006'],
    },
  ]
  const pages: FacebookPage[] = [
    {
      id: '104882637710001',
      name: 'Black Quill Tattoo',
      username: 'blackquilltattoo',
      category: 'Tattoo & Piercing Shop',
      tasks: allTasks,
    },
    {
      id: '104882637710002',
      name: 'Marlo Vance Fine Line',
      username: 'marlovancefineline',
      category: 'Artist',
      tasks: allTasks,
    },
    {
      id: '104882637710003',
      name: 'Salt & Ember Studio',
      username: 'saltandemberstudio',
      category: 'Tattoo & Piercing Shop',
      tasks: allTasks,
    },
    {
      id: '104882637710004',
      name: 'Ines Calder Blackwork',
      username: 'inescalderblackwork',
      category: 'Artist',
      tasks: allTasks,
    },
    {
      id: '104882637710005',
      name: 'North Needle Collective',
      username: 'northneedle',
      category: 'Tattoo & Piercing Shop',
      tasks: allTasks,
    },
    {
      id: '104882637710007',
      name: 'North Needle Supplies',
      username: 'northneedlesupplies',
      category: 'Tattoo & Piercing Shop',
      tasks: allTasks,
    },
    {
      id: '104882637710006',
      name: 'North Needle Guest Spots',
      username: 'northneedleguests',
      category: 'Artist',
      tasks: ['ANALYZE', 'MODERATE'],
    },
  ]
  return {
    apps: {},
    users: Object.fromEntries(users.map((user) => [user.id, user])),
    pages: Object.fromEntries(pages.map((entry) => [entry.id, entry])),
    businesses: {
      '338200194410001': {
        id: '338200194410001',
        name: 'North Needle Ltd',
        userId: '10226001845530123',
        pages: ['104882637710007'],
      },
    },
    grants: {},
    codes: {},
    tokens: {},
    pageTokens: {},
    photos: {},
    posts: {},
    videos: {},
    processing: {},
    uploads: {},
    handles: {},
    lastPost: {},
  }
}

/** The live state of the Facebook stand-in. */
export function facebook(world: World): FacebookState {
  return world.state('facebook', initial)
}

/** The people who can log in at the consent page, with their pages. */
export function facebookIdentities(world: World): Identity[] {
  const state = facebook(world)
  return Object.values(state.users).map((user) => ({
    id: user.id,
    name: user.name,
    email: user.email,
    pages: user.pages.flatMap((id) => {
      const page = state.pages[id]
      return page ? [{ id: page.id, name: page.name }] : []
    }),
  }))
}

/** Makes `count` more pages, managed by the first seeded person. */
export function makeFacebookPages(world: World, count: number): IdentityPage[] {
  const state = facebook(world)
  const owner = Object.values(state.users)[0]
  const made: IdentityPage[] = []
  for (let n = 0; n < count; n++) {
    const id = world.digits(15)
    const name = `Flash Wall ${Object.keys(state.pages).length + 1}`
    state.pages[id] = { id, name, username: `flashwall${id.slice(-6)}`, category: 'Artist', tasks: allTasks }
    owner?.pages.push(id)
    made.push({ id, name })
  }
  return made
}
