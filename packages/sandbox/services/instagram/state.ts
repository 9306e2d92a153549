import { collection } from '../../collection.ts'
import type { Delays } from '../../request-faults.ts'
import type { Identity, IdentityPage, PublishedMedia, SandboxContext } from '../../context.ts'

type InstagramCode = {
  appId: string
  accountId: string
  redirectUri: string
  scopes: string[]
  at: number
  used: boolean
}
export type InstagramToken = {
  appId: string
  accountId: string
  scopes: string[]
  long: boolean
  issuedAt: number
  expiresAt: number
  dead: '' | 'expired' | 'revoked'
}

export type InstagramContainer = Delays & {
  id: string
  accountId: string
  kind: 'IMAGE' | 'VIDEO' | 'REELS' | 'CAROUSEL'
  child: boolean
  caption: string
  alt: string
  /** The address that Instagram fetches; '' for a carousel */
  url: string
  thumbOffset: number
  children: string[]
  at: number
  /** When it becomes FINISHED; 0 while the bytes are still being fetched */
  readyAt: number
  media: PublishedMedia | null
  /** Error subcode it ended in, 0 for none */
  failure: number
  expired: boolean
  /** The published media's id, '' before */
  mediaId: string
  /** When it was published; absent before */
  publishedAt?: number
}

export type InstagramMedia = Delays & {
  id: string
  accountId: string
  shortcode: string
  kind: 'IMAGE' | 'REELS' | 'CAROUSEL'
  caption: string
  at: number
  children: string[]
  media: PublishedMedia[]
}

type InstagramState = ReturnType<typeof initial>

/** A personal account: not listed at the consent page, but reachable with `as=`, so that its refusal can be tested. */
export const personalAccount = '17841460011220003'

export type InstagramAccount = ReturnType<typeof makeAccount>

/**
 * `id` is the professional account id, which publishing calls use (`user_id` of `/me`), `scopedId` the app-scoped id of
 * the same account (`user_id` of the token reply, `id` of `/me`).
 */
function makeAccount(
  id: string,
  scopedId: string,
  username: string,
  name: string,
  type: 'BUSINESS' | 'MEDIA_CREATOR' | 'PERSONAL',
) {
  return { id, scopedId, username, name, type }
}

function initial() {
  const accounts = [
    makeAccount('17841460011220001', '24900871155500001', 'blackquill.tattoo', 'Black Quill Tattoo', 'BUSINESS'),
    makeAccount('17841460011220002', '24900871155500002', 'ines.calder.ink', 'Ines Calder', 'MEDIA_CREATOR'),
    makeAccount(personalAccount, '24900871155500003', 'tobin.offduty', 'Tobin Reyes', 'PERSONAL'),
  ]
  return {
    /** App id → its secret, stored at the first complete code exchange */
    apps: collection<{ secret: string }>(),
    accounts: collection(accounts),
    codes: collection<InstagramCode>(),
    tokens: collection<InstagramToken>(),
    containers: collection<InstagramContainer>(),
    /** Ids of containers whose bytes are still to be fetched */
    fetching: collection<boolean>(),
    media: collection<InstagramMedia>(),
    children: collection<{ id: string; parent: string; media: PublishedMedia }>(),
  }
}

/** The stored state of Instagram. */
export function instagram(sandbox: SandboxContext): InstagramState {
  return sandbox.state('instagram', initial)
}

/** The identities of the consent page; each is exactly one page to publish to. `all` adds the personal account. */
export function instagramIdentities(sandbox: SandboxContext, all = false): Identity[] {
  return Object.values(instagram(sandbox).accounts)
    .filter((account) => all || account.type !== 'PERSONAL')
    .map(({ id, name, username }) => ({ id, name, username, pages: [{ id, name: username }] }))
}

/** Makes one more professional account. */
export function makeInstagramPage(sandbox: SandboxContext): IdentityPage {
  const id = `17841${sandbox.digits(12)}`
  const name = `flash.wall.${id.slice(-8)}`
  const account = makeAccount(id, sandbox.digits(17), name, `Flash Wall ${id.slice(-4)}`, 'BUSINESS')
  instagram(sandbox).accounts[id] = account
  return { id, name }
}
