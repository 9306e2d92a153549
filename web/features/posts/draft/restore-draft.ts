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
} from '../../../lib/read-stored-json.ts'
import {
  mediaModes,
  type Caption,
  type Draft,
  type SelectedMedia,
  type SelectedPage,
  type StoredOrigin,
} from './draft.ts'
import type { Framing } from './framing.ts'
import type { TiktokChoice } from './tiktok-rules.ts'

const media = objectOf<SelectedMedia>({
  _id: string,
  mediaId: nullable(string),
  name: string,
  type: oneOf(['image', 'video']),
  preview: nullable(string),
  url: withDefault(nullable(string), null),
  size: number,
  isLocal: boolean,
  duration: withDefault(nullable(number), null),
  dimensions: withDefault(
    nullable(objectOf<{ width: number; height: number }>({ width: number, height: number })),
    null,
  ),
  encoding: withDefault(
    nullable(objectOf<VideoEncoding>({ codec: nullable(string), audioCodec: nullable(string), fps: nullable(number) })),
    null,
  ),
})

const page = objectOf<SelectedPage>({
  platform: oneOf(platforms),
  socialAccountId: string,
  pageId: string,
  name: string,
})

const framing = objectOf<Framing>({ isCropped: boolean, focus: number })

const caption = objectOf<Caption>({ title: string, caption: string })

const tiktok = objectOf<TiktokChoice>({
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

const wholeDraft = objectOf<Draft>({
  id: string,
  step: oneOf([1, 2, 3, 4]),
  tab: oneOf(['upload', 'library']),
  mode: nullable(oneOf(mediaModes)),
  media: arrayOf(media),
  pages: arrayOf(page),
  isGlobal: boolean,
  global: caption,
  individual: recordOf(caption),
  replaced: withDefault(nullable(recordOf(caption)), null),
  framing: withDefault(recordOf(framing), {}),
  tiktok: recordOf(tiktok),
  youtube: recordOf(youtube),
  toGallery: withDefault(boolean, false),
  scheduledAt: withDefault(arrayOf(string), []),
  requestIds: recordOf(string),
  sent: withDefault(arrayOf(objectOf<Draft['sent'][number]>({ scheduledAt: string, postId: string })), []),
  announced: withDefault(boolean, false),
  stored: withDefault(
    nullable(
      objectOf<StoredOrigin>({
        id: string,
        version: number,
        content: withDefault(string, ''),
        tried: withDefault(nullable(string), null),
      }),
    ),
    null,
  ),
})

/** Parses a stored draft; undefined if it is unreadable. */
export function restoreDraft(stored: string | null): Draft | undefined {
  if (stored === null) return undefined
  try {
    return wholeDraft(JSON.parse(stored))
  } catch {
    return undefined
  }
}
