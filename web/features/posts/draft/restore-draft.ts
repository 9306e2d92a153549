import { platforms } from '@flashsheet/contracts/networks'
import type { YoutubeOptions } from '@flashsheet/contracts/posts/schema'
import type { VideoEncoding } from '@flashsheet/contracts/video'
import {
  aFlag,
  among,
  aNumber,
  aText,
  fields,
  listOf,
  orElse,
  orNull,
  recordOf,
  type Read,
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

const mediaItem = fields<SelectedMedia>({
  _id: aText,
  mediaId: orNull(aText),
  name: aText,
  type: among(['image', 'video']),
  preview: orNull(aText),
  url: orElse(orNull(aText), null),
  size: aNumber,
  isLocal: aFlag,
  duration: orElse(orNull(aNumber), null),
  dimensions: orElse(orNull(fields<{ width: number; height: number }>({ width: aNumber, height: aNumber })), null),
  encoding: orElse(
    orNull(fields<VideoEncoding>({ codec: orNull(aText), audioCodec: orNull(aText), fps: orNull(aNumber) })),
    null,
  ),
})

/** Until 2026-11-23 an item was stored with its video's encoding as `film`. */
const media: Read<SelectedMedia> = (stored) =>
  mediaItem(
    typeof stored === 'object' && stored !== null && 'film' in stored ? { encoding: stored.film, ...stored } : stored,
  )

const page = fields<SelectedPage>({ platform: among(platforms), socialAccountId: aText, pageId: aText, name: aText })

const framing = fields<Framing>({ isCropped: aFlag, focus: aNumber })

const caption = fields<Caption>({ title: aText, caption: aText })

const tiktok = fields<TiktokChoice>({
  privacyLevel: orNull(aText),
  allowComment: aFlag,
  allowDuet: aFlag,
  allowStitch: aFlag,
  discloses: aFlag,
  yourBrand: aFlag,
  brandedContent: aFlag,
})

const youtube = fields<YoutubeOptions>({ privacyStatus: among(['public', 'unlisted', 'private']), madeForKids: aFlag })

const wholeDraft = fields<Draft>({
  id: aText,
  step: among([1, 2, 3, 4]),
  tab: among(['upload', 'library']),
  mode: orNull(among(mediaModes)),
  media: listOf(media),
  pages: listOf(page),
  isGlobal: aFlag,
  global: caption,
  individual: recordOf(caption),
  replaced: orElse(orNull(recordOf(caption)), null),
  framing: orElse(recordOf(framing), {}),
  tiktok: recordOf(tiktok),
  youtube: recordOf(youtube),
  toGallery: orElse(aFlag, false),
  scheduledAt: listOf(aText),
  requestIds: recordOf(aText),
  sent: orElse(listOf(fields<Draft['sent'][number]>({ scheduledAt: aText, postId: aText })), []),
  announced: orElse(aFlag, false),
  stored: orElse(
    orNull(
      fields<StoredOrigin>({
        id: aText,
        version: aNumber,
        content: orElse(aText, ''),
        tried: orElse(orNull(aText), null),
      }),
    ),
    null,
  ),
})

/** Converts drafts stored before 2026-11-23, which had `times`, `time` in `sent`, and only the id of a stored draft. */
function migrated(stored: unknown): unknown {
  if (typeof stored === 'object' && stored !== null && 'storedId' in stored && typeof stored.storedId === 'string')
    return migrated({ ...stored, storedId: null, stored: { id: stored.storedId, version: 0 } })
  if (typeof stored !== 'object' || stored === null || !('times' in stored)) return stored
  const { times, sent, ...rest } = stored as { times: unknown; sent?: unknown }
  const migratedSent = Array.isArray(sent)
    ? (sent as { time?: unknown; postId?: unknown }[]).map((one) => ({ scheduledAt: one?.time, postId: one?.postId }))
    : sent
  return { ...rest, scheduledAt: times, sent: migratedSent }
}

/** Parses a stored draft; undefined if it is unreadable. */
export function reviveDraft(stored: string | null): Draft | undefined {
  if (stored === null) return undefined
  try {
    return wholeDraft(migrated(JSON.parse(stored)))
  } catch {
    return undefined
  }
}
