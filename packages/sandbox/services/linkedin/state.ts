import { collection } from '../../collection.ts'
import type { Delays } from '../../request-faults.ts'
import type { IdentityPage, PublishedMedia, SandboxContext } from '../../context.ts'

/** A made-up member, who manages pages. */
type Member = { id: string; name: string; email: string; refreshTokens: boolean }
/** A page. `roles` is by member id. */
export type Organization = { id: string; name: string; vanity: string; roles: Record<string, string> }

/** One consent of one member for one app. Times are milliseconds since the epoch. */
export type Grant = {
  id: string
  clientId: string
  member: string
  scopes: string[]
  at: number
  refreshUntil: number
  revoked: boolean
}
type Code = { clientId: string; redirectUri: string; member: string; scopes: string[]; expiresAt: number }
type Token = { grant: string; expiresAt: number; at: number }

/** An image or a video being uploaded; `parts` has one entry per upload address. */
export type Asset = Delays & {
  urn: string
  kind: 'image' | 'video'
  owner: string
  /** A secret in the upload addresses. */
  sign: string
  urlsExpireAt: number
  uploadToken: string
  parts: { first: number; last: number; etag: string }[]
  /** When the last byte or the finalizing was accepted; 0 before. */
  uploadedAt: number
  readyAt: number
  failure: string
  media: PublishedMedia | null
}

type PostMedia = { id: string; title?: string; altText?: string }
/** What a request says about a post. */
export type PostBody = {
  author: string
  commentary: string
  visibility: string
  distribution: { feedDistribution: string }
  /** Exactly one of them. */
  content?: { media?: PostMedia; multiImage?: { images: PostMedia[] } }
  lifecycleState: string
  isReshareDisabledByAuthor?: boolean
}
export type Post = Delays &
  PostBody & {
    urn: string
    createdAt: number
    /** Until then its status is PUBLISH_REQUESTED (docs/networks/linkedin.md). */
    settledAt: number
    fails: boolean
    deleted: boolean
  }

const seedMembers: Member[] = [
  { id: 'tR9wX2kQpL', name: 'Rowan Ashdown', email: 'rowan@tidewater-ink.example', refreshTokens: true },
  { id: 'mV4cJ7yBnZ', name: 'Imogen Vale', email: 'imogen@blackthorn-tattoo.example', refreshTokens: false },
]
const makeOrganization = (id: string, name: string, vanity: string, member: string, role: string): Organization => ({
  id,
  name,
  vanity,
  roles: { [member]: role },
})
const seedOrganizations = [
  makeOrganization('40718201', 'Tidewater Ink', 'tidewater-ink', 'tR9wX2kQpL', 'ADMINISTRATOR'),
  makeOrganization(
    '40718202',
    'Tidewater Flash Supply',
    'tidewater-flash-supply',
    'tR9wX2kQpL',
    'CONTENT_ADMINISTRATOR',
  ),
  makeOrganization('40718203', 'Blackthorn Tattoo Collective', 'blackthorn-tattoo', 'mV4cJ7yBnZ', 'ADMINISTRATOR'),
  makeOrganization('40718204', 'Blackthorn Guest Chairs', 'blackthorn-guest-chairs', 'mV4cJ7yBnZ', 'CONTENT_ADMIN'),
]

const initial = () => ({
  members: collection(seedMembers.map((one) => ({ ...one }))),
  organizations: collection(seedOrganizations.map((one) => ({ ...one, roles: { ...one.roles } }))),
  codes: collection<Code>(),
  grants: collection<Grant>(),
  access: collection<Token>(),
  refresh: collection<{ grant: string }>(),
  assets: collection<Asset>(),
  posts: collection<Post>(),
})
export type LinkedIn = ReturnType<typeof initial>

/** The stored state of LinkedIn. Read it in every request, since a reset replaces its contents. */
export function linkedinState(sandbox: SandboxContext): LinkedIn {
  return sandbox.state('linkedin', initial)
}

export function organizationsOf(state: LinkedIn, member: string): Organization[] {
  return Object.values(state.organizations).filter((one) => one.roles[member] !== undefined)
}

/** The id of a page's logo, which the images API knows as `urn:li:image:<id>`. */
export function logoId(organization: Organization): string {
  return `C4D0BAQ${organization.id}`
}

/** Makes one more page of the first member, so that one login can list many. */
export function makeNextOrganization(sandbox: SandboxContext): IdentityPage {
  const state = linkedinState(sandbox)
  const member = Object.keys(state.members)[0] ?? ''
  const id = sandbox.digits(8)
  const name = `Flash Bench ${id}`
  state.organizations[id] = makeOrganization(id, name, `flash-bench-${id}`, member, 'ADMINISTRATOR')
  return { id, name }
}

const mayPost = ['ADMINISTRATOR', 'CONTENT_ADMIN', 'CONTENT_ADMINISTRATOR', 'DIRECT_SPONSORED_CONTENT_POSTER']

/** Whether a member's role on the page behind an organization URN lets them post for it. */
export function postsFor(state: LinkedIn, member: string, urn: string): boolean {
  const id = /^urn:li:organization:(\d+)$/.exec(urn)?.[1] ?? ''
  return mayPost.includes(state.organizations[id]?.roles[member] ?? '')
}

type AssetStatus = 'WAITING_UPLOAD' | 'PROCESSING' | 'AVAILABLE' | 'PROCESSING_FAILED'

export function assetStatus(asset: Asset, now: number): AssetStatus {
  if (!asset.uploadedAt || asset.uploadedAt > now) return 'WAITING_UPLOAD'
  if (asset.readyAt > now) return 'PROCESSING'
  return asset.failure ? 'PROCESSING_FAILED' : 'AVAILABLE'
}
