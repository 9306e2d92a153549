import { cropFor } from '@flashsheet/contracts/media/rules'
import type { Crop } from '@flashsheet/contracts/media/schema'
import { networks, type Platform } from '@flashsheet/contracts/networks'
import type { Draft, SelectedMedia } from './draft.ts'

/** How a picture stands in the frame of a network that does not take its shape. `focus`: 0 shows its left or upper end, 1 the other. */
export type Framing = { isCropped: boolean; focus: number }

const untouched: Framing = { isCropped: true, focus: 0.5 }
/** Shapes nearer than this look the same. */
const sameRatio = 0.005

export const framingOf = (draft: Pick<Draft, 'framing'>, id: string): Framing => draft.framing[id] ?? untouched

export function setFraming(draft: Draft, id: string, patch: Partial<Framing>): Draft {
  return { ...draft, framing: { ...draft.framing, [id]: { ...framingOf(draft, id), ...patch } } }
}

const ratioOf = ({ dimensions }: Pick<SelectedMedia, 'dimensions'>): number | undefined =>
  dimensions && dimensions.height > 0 ? dimensions.width / dimensions.height : undefined

/** The ratio that a picture has to be brought to for a network; undefined where it is taken as it is, or nobody has measured. */
export function frameFor(
  media: readonly Pick<SelectedMedia, 'type' | 'dimensions'>[],
  item: Pick<SelectedMedia, 'type' | 'dimensions'>,
  platform: Platform,
): number | undefined {
  const allowed = networks[platform].media.images?.ratio
  const own = ratioOf(item)
  // All of a carousel take the shape of its first.
  const lead = media[0] && ratioOf(media[0])
  if (!allowed || item.type !== 'image' || own === undefined || lead === undefined) return undefined
  const ratio = Math.min(Math.max(lead, allowed.min), allowed.max)
  return Math.abs(own - ratio) > sameRatio ? ratio : undefined
}

/** What a network gets of each picked medium; undefined where it gets all of every one. */
export function cropsFor(draft: Pick<Draft, 'media' | 'framing'>, platform: Platform): (Crop | null)[] | undefined {
  const crops = draft.media.map((item) => {
    const ratio = frameFor(draft.media, item, platform)
    const { isCropped, focus } = framingOf(draft, item._id)
    return ratio !== undefined && isCropped && item.dimensions ? cropFor(item.dimensions, ratio, focus) : null
  })
  return crops.some(Boolean) ? crops : undefined
}
