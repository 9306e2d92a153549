import type { ReactNode } from 'react'
import { FlashWall } from '../shell/flash-wall.tsx'
import styles from './auth-frame.module.css'

/** The frame of the account screens: the form, and beside it, where there is room, the flash on the wall. */
export function AuthFrame({ title, lead, children, foot }: { title: string; lead?: ReactNode; children: ReactNode; foot?: ReactNode }) {
  return (
    <div className={styles['frame']}>
      <div className={styles['side']}>
        <div className={styles['column']}>
          <h1 className={styles['title']}>{title}</h1>
          {lead && <p className={styles['lead']}>{lead}</p>}
          <div className={styles['body']}>{children}</div>
          {foot && <div className={styles['foot']}>{foot}</div>}
        </div>
      </div>
      <div className={styles['wall']} aria-hidden="true">
        <FlashWall />
      </div>
    </div>
  )
}
