import { zoneLabel } from '@flashsheet/contracts/time'
import { formatScheduled, viewerZone } from '../../../lib/format.ts'
import { trpc } from '../../../lib/trpc.ts'

export type Zones = {
  /** The viewer's zone, for people: times are chosen and shown in it. */
  viewer: string
  /** The same instant in the studio's words, with its zone; null where both clocks say the same. */
  inStudio: (iso: string) => string | null
}

/** In which zones times are read: the viewer's, and the studio's where it differs. */
export function useZones(): Zones {
  const studio = trpc.auth.studioZone.useQuery(undefined, { staleTime: Infinity }).data?.timeZone
  const viewer = viewerZone()
  return {
    viewer: zoneLabel(viewer),
    inStudio: (iso) => {
      if (!studio || formatScheduled(iso, studio) === formatScheduled(iso)) return null
      return `${formatScheduled(iso, studio)} at your studio, ${zoneLabel(studio)}`
    },
  }
}
