import { collection } from '../../collection.ts'
import type { Delays } from '../../request-faults.ts'
import type { Identity, IdentityPage, PublishedMedia, SandboxContext } from '../../context.ts'

/** A made-up channel: an identity of Google's consent screen, and the one page of that grant. */
export type Channel = {
  id: string
  title: string
  handle: string
  email: string
  longUploads: 'allowed' | 'disallowed'
}

export type Metadata = {
  title: string
  description: string
  tags: string[]
  categoryId: string
  privacyStatus: string
  publishAt: string
  madeForKids: boolean
}

/** One resumable upload; times are milliseconds since the epoch. */
export type Session = Delays & {
  id: string
  channel: string
  metadata: Metadata
  /** The `part` of the request: the fields of the video's JSON. */
  part: string
  /** Declared bytes; -1 before they are declared. */
  total: number
  received: number
  /** Bytes stored before the last chunk, and when that came: the status while a delay hides the end. */
  beforeLast?: number
  endedAt?: number
  expiresAt: number
  /** 404 or 410 once the session is lost; otherwise 0. */
  lost: number
  failsWith: ProcessingFailure | null
  videoId: string
}

/** Why a video is not shown: `failed` has a failureReason, `rejected` a rejectionReason (docs/networks/youtube.md). */
export type ProcessingFailure = { status: 'failed' | 'rejected'; reason: string }

export type Video = Delays & {
  id: string
  channel: string
  metadata: Metadata
  media: PublishedMedia
  uploadedAt: number
  readyAt: number
  failsWith: ProcessingFailure | null
}

const seeded: Channel[] = [
  {
    id: 'UCtw4Q8mInkTidewaterX2bR',
    title: 'Tidewater Ink Films',
    handle: '@tidewaterinkfilms',
    email: 'films@tidewater-ink.example',
    longUploads: 'allowed',
  },
  {
    id: 'UCbk7J3vFlashBlackthorn5',
    title: 'Blackthorn Flash Sheets',
    handle: '@blackthornflash',
    email: 'flash@blackthorn-tattoo.example',
    longUploads: 'disallowed',
  },
]

const initial = () => ({
  channels: collection(seeded.map((one) => ({ ...one }))),
  sessions: collection<Session>(),
  videos: collection<Video>(),
  /** The quota used by each project, by `<project> <Pacific date> <bucket>`. */
  used: collection<number>(),
})
export type YouTube = ReturnType<typeof initial>

/** The stored state of YouTube. Read it in every request, since a reset replaces its contents. */
export function youtubeState(sandbox: SandboxContext): YouTube {
  return sandbox.state('youtube', initial)
}

/** The playlist of a channel's uploads. */
export function uploadsOf(channel: string): string {
  return `UU${channel.slice(2)}`
}

export function identities(sandbox: SandboxContext): Identity[] {
  return Object.values(youtubeState(sandbox).channels).map(({ id, title, handle, email }) => ({
    id,
    name: title,
    username: handle.slice(1),
    email,
    pages: [{ id, name: title }],
  }))
}

/** Makes one more channel. */
export function makeChannel(sandbox: SandboxContext): IdentityPage {
  const number = sandbox.digits(6)
  const id = `UC${sandbox.secret(18).slice(0, 22)}`
  const title = `Flash Bench ${number}`
  youtubeState(sandbox).channels[id] = {
    id,
    title,
    handle: `@flashbench${number}`,
    email: `bench${number}@flash-bench.example`,
    longUploads: 'allowed',
  }
  return { id, name: title }
}
