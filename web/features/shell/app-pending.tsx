import { Skeleton } from '../../ui/skeleton.tsx'
import styles from './app-pending.module.css'
import frame from './app-shell.module.css'
import { HeaderBar } from './header-bar.tsx'
import { ScreenPending } from '../parts/screen-pending.tsx'

/**
 * A skeleton of the signed-in shell, shown while the guard or the code of the screen is loading. It is part of the first bundle, so it
 * imports little: the shell's style sheet, the header bar and the skeletons.
 */
export function AppPending() {
  return (
    <div className={frame['shell']}>
      <HeaderBar
        width="wide"
        isMarkOnly
        before={
          <span className={frame['toggle']}>
            <span className={styles['menu']} />
          </span>
        }
      >
        <span className={styles['user']}>
          <Skeleton shape="circle" />
        </span>
      </HeaderBar>
      <aside className={frame['sidebar']} aria-hidden="true">
        <div className={styles['places']}>
          {[1, 2, 3, 4, 5, 6].map((key) => (
            <div key={key} className={styles['place']}>
              <Skeleton width="half" />
            </div>
          ))}
        </div>
      </aside>
      <main className={frame['content']}>
        <div className={frame['page']}>
          <ScreenPending />
        </div>
      </main>
    </div>
  )
}
