import type { ReactNode } from 'react'
import { FlashWall } from '../parts/flash-wall.tsx'
import styles from './auth-frame.module.css'

type AuthFrameProps = {
  title: string
  lead?: ReactNode
  children: ReactNode
  foot?: ReactNode
  /** Content that loads later than the form. It is at the bottom, where it causes no layout shift. */
  after?: ReactNode
}

/** The layout of the account screens: the form and, on wide screens, decorative drawings beside it. */
export function AuthFrame({ title, lead, children, foot, after }: AuthFrameProps) {
  return (
    <div className={styles['frame']}>
      <div className={styles['side']}>
        <div className={styles['column']}>
          <h1 className={styles['title']}>{title}</h1>
          {lead && <p className={styles['lead']}>{lead}</p>}
          <div className={styles['body']}>{children}</div>
          {foot && <div className={styles['foot']}>{foot}</div>}
          {after}
        </div>
      </div>
      <div className={styles['wall']} aria-hidden="true">
        <FlashWall />
      </div>
    </div>
  )
}
