import { nameList, type Platform, platformNames, platforms } from '@flashsheet/contracts/networks'
import { Badge } from '../../ui/badge.tsx'
import { FlashWall } from '../parts/flash-wall.tsx'
import { NetworkIcon } from '../social/network-icon.tsx'
import styles from './hero-sheet.module.css'
import { Scene, SceneRow, SceneThumb } from './scene.tsx'

const pageNames: Record<Platform, string> = {
  facebook: 'Quill & Needle',
  instagram: 'mara.quill',
  tiktok: 'maraquill',
  youtube: 'Mara Quill Tattoo',
  linkedin: 'Quill & Needle',
}

/** An illustration of the product: a flash sheet, a video that is posted to a page of each network, and a red stamp at the end. */
export function HeroSheet() {
  return (
    <div className={styles['hero']}>
      <div className={styles['wall']} aria-hidden="true">
        <FlashWall />
      </div>
      <div className={styles['post']}>
        <Scene label={`A video of a moth tattoo, posted to ${nameList()}`}>
          <SceneRow picture={<SceneThumb drawing="moth" length="0:14" />} title="Moth, healed" note="Post now" />
          <div className={styles['pages']}>
            {platforms.map((platform) => (
              <SceneRow
                key={platform}
                picture={<NetworkIcon platform={platform} />}
                title={pageNames[platform]}
                note={platformNames[platform]}
                end={<PostedMark />}
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

/** Changes from "Posting" to "Posted" after a delay (CSS animation). */
function PostedMark() {
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
