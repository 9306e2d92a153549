import type { Platform } from '@flashsheet/contracts/networks'
import text from '../../../ui/text.module.css'
import styles from './safe-zones.module.css'

/** The areas in which an app covers an upright video. Approximate, because they differ between phones (docs/networks). */
export function SafeZones({ platform, page, words }: { platform: Platform; page: string; words: string }) {
  return (
    <div className={styles['zones']} data-platform={platform} aria-hidden="true">
      <span className={styles['rail']} />
      <div className={styles['foot']}>
        <span className={text['strong']}>{page}</span>
        <span className={text['one-line']}>{words}</span>
      </div>
    </div>
  )
}
