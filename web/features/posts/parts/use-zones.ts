import { zoneLabel } from '@flashsheet/contracts/time'
import { formatScheduled, viewerZone } from '../../../lib/format.ts'
import { useStudioZone } from '../../parts/use-studio-zone.ts'

export type Zones = {
  /** The viewer's time zone, in words. Times are chosen and shown in it. */
  viewer: string
  /** The instant in the studio's time zone, in words; null if both zones have the same time. */
  inStudio: (iso: string) => string | null
}

/** The viewer's time zone, and the studio's where it differs. */
export function useZones(): Zones {
  const studio = useStudioZone().data?.timeZone
  const viewer = viewerZone()
  return {
    viewer: zoneLabel(viewer),
    inStudio: (iso) => {
      if (!studio || formatScheduled(iso, studio) === formatScheduled(iso)) return null
      return `${formatScheduled(iso, studio)} at your studio, ${zoneLabel(studio)}`
    },
  }
}
