import { Skeleton } from '../../ui/skeleton.tsx'
import styles from './app-pending.module.css'
import frame from './app-shell.module.css'
import { HeaderBar } from './header-bar.tsx'
import { ScreenPending } from '../parts/screen-pending.tsx'

/**
 * The signed-in shell while the guard or the screen's code is on its way: the same frame, grey. It comes with the first
 * page, so it brings nothing of the shell but its measures.
 */
export function AppPending() {
  return (
    <div className={frame['shell']}>
      <HeaderBar
        width="wide"
        markOnly
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
