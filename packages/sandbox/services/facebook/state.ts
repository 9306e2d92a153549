import { collection } from '../../collection.ts'
import type { Delays } from '../../request-faults.ts'
import type { Identity, IdentityPage, PublishedMedia, SandboxContext } from '../../context.ts'

type FacebookUser = { id: string; name: string; email: string; pages: string[] }
/** A Business Manager; its pages are not in `/me/accounts` (docs/networks/facebook.md). */
export type FacebookBusiness = { id: string; name: string; userId: string; pages: string[] }
export type FacebookPage = { id: string; name: string; username: string; category: string; tasks: string[] }

/** One consent: the scopes and pages that one person granted to one app. */
export type FacebookGrant = {
  id: string
  appId: string
  userId: string
  pages: string[]
  scopes: string[]
  declined: string[]
  revoked: boolean
}
type FacebookCode = { grant: string; redirectUri: string; at: number; used: boolean }

/** `expiresAt` 0: no expiry date, as for a page token of a long-lived user token. */
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
export type FacebookPost = Delays & {
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

export type FacebookVideo = Delays & {
  id: string
  pageId: string
  edge: 'video_reels' | 'videos'
  createdAt: number
  title: string
  description: string
  /** The announced size in bytes; -1 before it is announced */
  size: number
  media: PublishedMedia | null
  /** Why processing will fail; '' when it will not */
  refusal: string
  state: 'uploading' | 'uploaded' | 'processing' | 'ready' | 'error' | 'expired'
  /** What the publish call requested */
  wants: 'PUBLISHED' | 'DRAFT' | 'SCHEDULED'
  /** The time of the publish call; absent before it */
  askedAt?: number
  /** When processing ends; 0 before the publish call */
  readyAt: number
  publishedAt: number
  post: string
}

/** A session of the resumable upload API, or (`pageId` set) of the older three-phase video upload. */
export type FacebookUpload = {
  id: string
  length: number
  lost: boolean
  handle: string
  media: PublishedMedia | null
  videoId: string
  at: number
}

type FacebookState = ReturnType<typeof initial>

const allTasks = ['ADVERTISE', 'ANALYZE', 'CREATE_CONTENT', 'MESSAGING', 'MODERATE', 'MANAGE']

function makePage(id: string, name: string, username: string, category: string, tasks = allTasks): FacebookPage {
  return { id, name, username, category, tasks }
}

/**
 * The seeded people and pages, all made up. Tobin has the edge cases of connecting: a role that cannot publish, and a
 * page of a Business Manager.
 */
function initial() {
  const person = (id: string, name: string, email: string, pages: string[]): FacebookUser => ({
    id,
    name,
    email,
    pages,
  })
  const users = [
    person('10226001845530121', 'Marlo Vance', 'marlo@blackquill.example', ['104882637710001', '104882637710002']),
    person('10226001845530122', 'Ines Calder', 'ines@saltandember.example', ['104882637710003', '104882637710004']),
    person('10226001845530123', 'Tobin Reyes', 'tobin@northneedle.example', ['104882637710005', '104882637710006']),
  ]
  const shop = 'Tattoo & Piercing Shop'
  const pages = [
    makePage('104882637710001', 'Black Quill Tattoo', 'blackquilltattoo', shop),
    makePage('104882637710002', 'Marlo Vance Fine Line', 'marlovancefineline', 'Artist'),
    makePage('104882637710003', 'Salt & Ember Studio', 'saltandemberstudio', shop),
    makePage('104882637710004', 'Ines Calder Blackwork', 'inescalderblackwork', 'Artist'),
    makePage('104882637710005', 'North Needle Collective', 'northneedle', shop),
    makePage('104882637710007', 'North Needle Supplies', 'northneedlesupplies', shop),
    makePage('104882637710006', 'North Needle Guest Spots', 'northneedleguests', 'Artist', ['ANALYZE', 'MODERATE']),
  ]
  const northNeedle: FacebookBusiness = {
    id: '338200194410001',
    name: 'North Needle Ltd',
    userId: '10226001845530123',
    pages: ['104882637710007'],
  }
  return {
    /** App id → its secret, stored at the first complete code exchange */
    apps: collection<{ secret: string }>(),
    users: collection(users),
    pages: collection(pages),
    businesses: collection([northNeedle]),
    grants: collection<FacebookGrant>(),
    codes: collection<FacebookCode>(),
    tokens: collection<FacebookToken>(),
    /** `${grant} ${page} ${long}` → page token, so that a second request gets the same one */
    pageTokens: collection<{ token: string }>(),
    photos: collection<FacebookPhoto>(),
    posts: collection<FacebookPost>(),
    videos: collection<FacebookVideo>(),
    /** Ids of videos whose processing has not ended */
    processing: collection<boolean>(),
    uploads: collection<FacebookUpload>(),
    handles: collection<{ upload: string }>(),
    /** Page → its newest post, by which the same text twice in a row is refused */
    lastPost: collection<{ post: string }>(),
  }
}

/** The stored state of Facebook. */
export function facebook(sandbox: SandboxContext): FacebookState {
  return sandbox.state('facebook', initial)
}

/** The people who can log in at the consent page, with their pages. */
export function facebookIdentities(sandbox: SandboxContext): Identity[] {
  const state = facebook(sandbox)
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

/** Makes one more page, managed by the first seeded person. */
export function makeFacebookPage(sandbox: SandboxContext): IdentityPage {
  const state = facebook(sandbox)
  const id = sandbox.digits(15)
  const name = `Flash Wall ${Object.keys(state.pages).length + 1}`
  state.pages[id] = makePage(id, name, `flashwall${id.slice(-6)}`, 'Artist')
  Object.values(state.users)[0]?.pages.push(id)
  return { id, name }
}
