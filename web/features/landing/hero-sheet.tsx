import { type Platform, platformNames } from '@flashsheet/contracts/networks'
import { Badge } from '../../ui/badge.tsx'
import { FlashWall } from '../parts/flash-wall.tsx'
import { NetworkIcon } from '../social/network-icon.tsx'
import styles from './hero-sheet.module.css'
import { Scene, SceneRow, SceneThumb } from './scene.tsx'

const pages: { platform: Platform; name: string }[] = [
  { platform: 'facebook', name: 'Quill & Needle' },
  { platform: 'instagram', name: 'mara.quill' },
  { platform: 'tiktok', name: 'maraquill' },
  { platform: 'youtube', name: 'Mara Quill Tattoo' },
  { platform: 'linkedin', name: 'Quill & Needle' },
]

/** The idea in one picture: a sheet of flash, one video of it on its way to five pages, and the red stamp once all have it. */
export function HeroSheet() {
  return (
    <div className={styles['hero']}>
      <div className={styles['wall']} aria-hidden="true">
        <FlashWall />
      </div>
      <div className={styles['post']}>
        <Scene label="A video of a moth tattoo, posted to five pages: on Facebook, Instagram, TikTok, YouTube and LinkedIn">
          <SceneRow picture={<SceneThumb drawing="moth" length="0:14" />} title="Moth, healed" note="Post now" />
          <div className={styles['pages']}>
            {pages.map(({ platform, name }) => (
              <SceneRow
                key={platform}
                picture={<NetworkIcon platform={platform} />}
                title={name}
                note={platformNames[platform]}
                end={<RouteAnnouncer />}
              />
            ))}
          </div>
        </Scene>
        <span className={styles['stamp']} aria-hidden="true">
          Posted
        </span>
      </div>
    </div>
  )
}

/** On its way for a moment, then there. */
function RouteAnnouncer() {
  return (
    <span className={styles['arrival']}>
      <span className={styles['before']}>
        <Badge tone="pending">Posting</Badge>
      </span>
      <span className={styles['after']}>
        <Badge tone="posted">Posted</Badge>
      </span>
    </span>
  )
}
