import { CheckCheck } from 'lucide-react'
import type { RefObject } from 'react'
import { Dialog as AriaDialog, Heading, Popover } from 'react-aria-components'
import { phoneWidth, useMediaQuery } from '../../ui/use-media-query.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import control from '../../ui/control.module.css'
import { Dialog } from '../../ui/dialog.tsx'
import { NoticeItems, useMarkNoticesRead } from './notice-list.tsx'
import styles from './notices-bell.module.css'
import type { Notices } from './use-notices.ts'

export type NoticesPanelProps = {
  trigger: RefObject<HTMLElement | null>
  open: boolean
  onClose: () => void
  notices: Notices
}

/** The list of notices: a popover, or a bottom sheet on a phone. */
export function NoticesPanel({ trigger, open, onClose, notices }: NoticesPanelProps) {
  const phone = useMediaQuery(phoneWidth)
  const list = notices.query.data
  const items = <NoticeItems query={notices.query} onNavigate={onClose} />
  const actions = (
    <>
      <ButtonLink to="/settings" hash="notices" size="small" variant="quiet" onClick={onClose}>
        Choose emails
      </ButtonLink>
      <ReadAll unread={list?.unread ?? 0} until={list?.notices[0]?.createdAt} />
    </>
  )
  if (phone) {
    return (
      <Dialog open={open} onClose={onClose} title="Notices" actions={actions}>
        {items}
      </Dialog>
    )
  }
  return (
    <Popover
      triggerRef={trigger}
      isOpen={open}
      onOpenChange={onClose}
      className={classes(control['list'], styles['popover'])}
      placement="bottom end"
      offset={6}
    >
      <AriaDialog className={styles['dialog'] ?? ''}>
        <Heading slot="title" level={2} className={styles['title'] ?? ''}>
          Notices
        </Heading>
        <div className={styles['items']}>{items}</div>
        <div className={styles['actions']}>{actions}</div>
      </AriaDialog>
    </Popover>
  )
}

/** `until`: the time of the newest visible notice, so that later ones stay unread. */
function ReadAll({ unread, until }: { unread: number; until: string | undefined }) {
  const { readAll } = useMarkNoticesRead()
  return (
    <Button
      size="small"
      icon={<CheckCheck />}
      isDisabled={unread === 0 || until === undefined}
      pending={readAll.isPending}
      onPress={({ target }) => {
        // The button is disabled afterwards, so the focus moves to the list.
        target.closest('[role=dialog]')?.querySelector<HTMLElement>('li a')?.focus()
        if (until !== undefined) readAll.mutate({ until })
      }}
    >
      Mark all as read
    </Button>
  )
}
