import { Bell } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import { useHasBeenTrue, type LazyComponent } from '../../ui/lazy-component.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import control from '../../ui/control.module.css'
import { classes } from '../../ui/classes.ts'
import styles from './notices-bell.module.css'
import type { NoticesPanelProps } from './notices-panel.tsx'
import { useNotices } from './use-notices.ts'

const maxCount = 99

/** A bell with the number of unread notices, which opens their list. */
export function NoticesBell({ panel: NoticesPanel }: { panel: LazyComponent<NoticesPanelProps> }) {
  const notices = useNotices()
  const trigger = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const wasOpened = useHasBeenTrue(open)
  const unread = notices.query.data?.unread ?? 0
  return (
    <>
      <output className={styles['news']} aria-live="polite">
        <VisuallyHidden>{notices.newTitle && `New notice: ${notices.newTitle}`}</VisuallyHidden>
      </output>
      <AriaButton
        ref={trigger}
        className={classes(control['icon'], styles['trigger'])}
        aria-label={unread === 0 ? 'Notices' : `Notices, ${unread} unread`}
        aria-haspopup="dialog"
        aria-expanded={open}
        onHoverStart={NoticesPanel.preload}
        onPress={() => {
          NoticesPanel.preload()
          setOpen(true)
        }}
      >
        <Bell />
        {unread > 0 && (
          <span className={styles['count']} aria-hidden="true">
            {unread > maxCount ? `${maxCount}+` : unread}
          </span>
        )}
      </AriaButton>
      {wasOpened && <NoticesPanel trigger={trigger} open={open} onClose={() => setOpen(false)} notices={notices} />}
    </>
  )
}
