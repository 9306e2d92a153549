import { Motif, type MotifName } from './motif.tsx'
import styles from './flash-wall.module.css'

const pieces: MotifName[] = ['moth', 'dagger', 'star', 'cherries', 'snake', 'anchor', 'heart', 'moon', 'horseshoe']

/** A flash sheet pinned to the wall: nine pictures, black line on paper. Decoration. */
export function FlashWall() {
  return (
    <div className={styles['sheet']}>
      <div className={styles['head']}>
        <span>Flash</span>
        <span>Sheet 09</span>
      </div>
      <div className={styles['grid']}>
        {pieces.map((name) => (
          <div key={name} className={styles['cell']}>
            <Motif name={name} />
          </div>
        ))}
      </div>
    </div>
  )
}
