import { cropFor } from '@flashsheet/contracts/media/rules'
import type { Crop } from '@flashsheet/contracts/media/schema'
import { networks, type Platform } from '@flashsheet/contracts/networks'
import type { Draft, SelectedMedia } from './draft.ts'
import type { framing, Restored } from './restore-draft.ts'

export type Framing = Restored<typeof framing>

const untouched: Framing = { isCropped: true, focus: 0.5 }
/** Ratios that differ by less count as equal. */
const ratioTolerance = 0.005

export const framingOf = (draft: Pick<Draft, 'framing'>, id: string): Framing => draft.framing[id] ?? untouched

export function setFraming(draft: Draft, id: string, patch: Partial<Framing>): Draft {
  return { ...draft, framing: { ...draft.framing, [id]: { ...framingOf(draft, id), ...patch } } }
}

/** Width over height; undefined until measured. */
export const ratioOf = ({ dimensions }: Pick<SelectedMedia, 'dimensions'>): number | undefined =>
  dimensions && dimensions.height > 0 ? dimensions.width / dimensions.height : undefined

/** The ratio to which a network needs a picture cropped; undefined if it fits or was not measured. */
export function frameFor(
  media: readonly Pick<SelectedMedia, 'type' | 'dimensions'>[],
  item: Pick<SelectedMedia, 'type' | 'dimensions'>,
  platform: Platform,
): number | undefined {
  const allowed = networks[platform].media.images?.ratio
  const own = ratioOf(item)
  // All pictures of a carousel get the ratio of the first.
  const lead = media[0] && ratioOf(media[0])
  if (!allowed || item.type !== 'image' || own === undefined || lead === undefined) return undefined
  const ratio = Math.min(Math.max(lead, allowed.min), allowed.max)
  return Math.abs(own - ratio) > ratioTolerance ? ratio : undefined
}

/** The crop of each picked item for a network; undefined if none is cropped. */
export function cropsFor(draft: Pick<Draft, 'media' | 'framing'>, platform: Platform): (Crop | null)[] | undefined {
  const crops = draft.media.map((item) => {
    const ratio = frameFor(draft.media, item, platform)
    const { isCropped, focus } = framingOf(draft, item._id)
    return ratio !== undefined && isCropped && item.dimensions ? cropFor(item.dimensions, ratio, focus) : null
  })
  return crops.some(Boolean) ? crops : undefined
}
