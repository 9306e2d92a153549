import { platforms } from '@flashsheet/contracts/networks'
import type { YoutubeOptions } from '@flashsheet/contracts/posts/schema'
import type { VideoEncoding } from '@flashsheet/contracts/video'
import {
  arrayOf,
  boolean,
  nullable,
  number,
  objectOf,
  oneOf,
  recordOf,
  string,
  withDefault,
  type Read,
} from '../../../lib/read-stored-json.ts'
import { tryStorage } from '../../../lib/try-storage.ts'
import { mediaModes } from './draft.ts'

/** What a reader returns for a valid value. */
export type Restored<R extends Read<unknown>> = NonNullable<ReturnType<R>>

/**
 * A picked item. `mediaId` is null until a local file is in the library; its `_id` is the id of its upload. A reload ends the upload:
 * such an item without an upload is lost.
 */
export const media = objectOf({
  _id: string,
  mediaId: nullable(string),
  name: string,
  type: oneOf(['image', 'video']),
  /** URL of a small picture; null while only this browser has the file. */
  preview: nullable(string),
  /** URL of the picture or video itself; null while only this browser has the file. */
  url: withDefault(nullable(string), null),
  size: number,
  isLocal: boolean,
  /** Seconds; null for images, and until measured. */
  duration: withDefault(nullable(number), null),
  dimensions: withDefault(nullable(objectOf({ width: number, height: number })), null),
  /** Encoding that the networks' rules check; null for images, and until measured. */
  encoding: withDefault(
    nullable(objectOf<VideoEncoding>({ codec: nullable(string), audioCodec: nullable(string), fps: nullable(number) })),
    null,
  ),
})

/** One page under one account, flattened for selection. */
export const page = objectOf({ platform: oneOf(platforms), socialAccountId: string, pageId: string, name: string })

/** How a picture is cropped for networks that do not accept its shape. `focus`: from 0, the left or upper end, to 1. */
export const framing = objectOf({ isCropped: boolean, focus: number })

export const caption = objectOf({ title: string, caption: string })

export const tiktok = objectOf({
  privacyLevel: nullable(string),
  allowComment: boolean,
  allowDuet: boolean,
  allowStitch: boolean,
  discloses: boolean,
  yourBrand: boolean,
  brandedContent: boolean,
})

const youtube = objectOf<YoutubeOptions>({
  privacyStatus: oneOf(['public', 'unlisted', 'private']),
  madeForKids: boolean,
})

export const storedOrigin = objectOf({
  id: string,
  /** The version last read or written. */
  version: number,
  /** The composer's content as last stored (`contentText`). */
  content: withDefault(string, ''),
  /** The content of the last save, while its outcome is unknown. */
  tried: withDefault(nullable(string), null),
})

/** Stored in the browser, so that it survives a reload. */
export const wholeDraft = objectOf({
  /** A new draft is a new post. */
  id: string,
  step: oneOf([1, 2, 3, 4]),
  tab: oneOf(['upload', 'library']),
  mode: nullable(oneOf(mediaModes)),
  media: arrayOf(media),
  pages: arrayOf(page),
  isGlobal: boolean,
  global: caption,
  individual: recordOf(caption),
  /** Individual captions that the last switch to individual overwrote, for undo. */
  replaced: withDefault(nullable(recordOf(caption)), null),
  /** Crops by `_id`; absent for untouched pictures. */
  framing: withDefault(recordOf(framing), {}),
  tiktok: recordOf(tiktok),
  youtube: recordOf(youtube),
  toGallery: withDefault(boolean, false),
  /** ISO instants, ascending, one post each; empty means now. */
  scheduledAt: withDefault(arrayOf(string), []),
  /** One UUID per time ('now' counts as a time), so that a repeated send is the same request. */
  requestIds: recordOf(string),
  /** Posts that the server accepted, one per time. */
  sent: withDefault(arrayOf(objectOf({ scheduledAt: string, postId: string })), []),
  /** The outcome was shown in a toast. */
  announced: withDefault(boolean, false),
  /** The stored draft that is open in the composer: saving updates it, posting deletes it. */
  stored: withDefault(nullable(storedOrigin), null),
})

/** Parses a stored draft; undefined if it is unreadable. */
export const restoreDraft = (stored: string | null): Restored<typeof wholeDraft> | undefined =>
  tryStorage(() => wholeDraft(JSON.parse(stored ?? 'null')))
