import { platforms } from '@flashsheet/contracts/plain'
import { FlashWall } from '../shell/flash-wall.tsx'
import { NetworkIcon } from '../social/network-icon.tsx'
import styles from './hero-sheet.module.css'

/** The idea in one picture: a sheet of flash in black line, and one red stamp that says where it went. Decoration. */
export function HeroSheet() {
  return (
    <div className={styles['hero']} aria-hidden="true">
      <FlashWall />
      <div className={styles['stamp']}>
        <span className={styles['word']}>Posted</span>
        <span className={styles['signs']}>
          {platforms.map((platform) => (
            <NetworkIcon key={platform} platform={platform} />
          ))}
        </span>
      </div>
    </div>
  )
}
