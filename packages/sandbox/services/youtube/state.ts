import type { Late } from '../../late.ts'
import type { Identity, PublishedMedia, World } from '../../world.ts'

/** A made-up channel: what a person picks at Google's consent, and the one page of that grant. */
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
export type Session = Late & {
  id: string
  channel: string
  project: string
  metadata: Metadata
  /** The `part` of the request: what the video's JSON shows. */
  part: string
  /** Declared bytes; -1 while not declared. */
  total: number
  received: number
  /** Bytes held before the last chunk, and when that came: what a late status still tells. */
  beforeLast?: number
  endedAt?: number
  expiresAt: number
  /** 404 or 410 once the session is gone, else 0. */
  lost: number
  doom: Doom | null
  videoId: string
}

/** Why a video will not be shown: `failed` carries a failureReason, `rejected` a rejectionReason (docs/networks/youtube.md). */
export type Doom = { status: 'failed' | 'rejected'; reason: string }

export type Video = Late & {
  id: string
  channel: string
  metadata: Metadata
  media: PublishedMedia
  uploadedAt: number
  readyAt: number
  doom: Doom | null
}

export type YouTube = {
  channels: Record<string, Channel>
  sessions: Record<string, Session>
  videos: Record<string, Video>
  /** What each project used, by `<project> <Pacific date> <bucket>`. */
  used: Record<string, number>
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

/** The persisted YouTube of this world; asked for anew on every request, since a reset replaces it. */
export function youtubeState(world: World): YouTube {
  return world.state<YouTube>('youtube', () => ({
    channels: Object.fromEntries(seeded.map((one) => [one.id, { ...one }])),
    sessions: {},
    videos: {},
    used: {},
  }))
}

/** The playlist of a channel's uploads. */
export function uploadsOf(channel: string): string {
  return `UU${channel.slice(2)}`
}

export function identities(world: World): Identity[] {
  return Object.values(youtubeState(world).channels).map(({ id, title, handle, email }) => ({
    id,
    name: title,
    username: handle.slice(1),
    email,
    pages: [{ id, name: title }],
  }))
}

/** Makes `count` more channels. */
export function makeChannels(world: World, count: number): Channel[] {
  const state = youtubeState(world)
  return Array.from({ length: count }, () => {
    const number = world.digits(6)
    const channel: Channel = {
      id: `UC${world.secret(18).slice(0, 22)}`,
      title: `Flash Bench ${number}`,
      handle: `@flashbench${number}`,
      email: `bench${number}@flash-bench.example`,
      longUploads: 'allowed',
    }
    state.channels[channel.id] = channel
    return channel
  })
}
