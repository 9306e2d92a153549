import { Bell, CheckCheck } from 'lucide-react'
import { useState } from 'react'
import { Button as AriaButton, Dialog as AriaDialog, DialogTrigger, Heading, Popover } from 'react-aria-components'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import control from '../../ui/control.module.css'
import { Dialog } from '../../ui/dialog.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { phoneWidth, useMediaQuery } from '../../lib/use-media-query.ts'
import { useSignedOutElsewhere } from '../auth/use-signed-out-elsewhere.ts'
import { NoticeItems, useReadNotices } from './notice-list.tsx'
import styles from './notices-bell.module.css'
import { useNotices } from './use-notices.ts'

const most = 99

/** What needs the artist: a bell with a count, and the list behind it; on a phone a sheet. */
export function NoticesBell() {
  const notices = useNotices(useSignedOutElsewhere())
  const [open, setOpen] = useState(false)
  const phone = useMediaQuery(phoneWidth)
  const unread = notices.list?.unread ?? 0
  const close = () => setOpen(false)
  const items = <NoticeItems notices={notices} onLeave={close} />
  const actions = (
    <>
      <ButtonLink to="/settings" hash="notices" size="small" variant="quiet" onClick={close}>
        Choose mails
      </ButtonLink>
      <ReadAll unread={unread} until={notices.list?.notices[0]?.createdAt} />
    </>
  )
  return (
    <>
      <output className={styles['news']} aria-live="polite">
        <VisuallyHidden>{notices.news && `New notice: ${notices.news}`}</VisuallyHidden>
      </output>
      <DialogTrigger isOpen={open && !phone} onOpenChange={setOpen}>
        <AriaButton className={styles['trigger'] ?? ''} aria-label={unread === 0 ? 'Notices' : `Notices, ${unread} unread`} aria-haspopup="dialog">
          <Bell aria-hidden="true" />
          {unread > 0 && (
            <span className={styles['count']} aria-hidden="true">
              {unread > most ? `${most}+` : unread}
            </span>
          )}
        </AriaButton>
        <Popover className={classes(control['list'], styles['popover'])} placement="bottom end" offset={6}>
          <AriaDialog className={styles['dialog'] ?? ''}>
            <Heading slot="title" level={2} className={styles['title'] ?? ''}>
              Notices
            </Heading>
            <div className={styles['items']}>{items}</div>
            <div className={styles['actions']}>{actions}</div>
          </AriaDialog>
        </Popover>
      </DialogTrigger>
      {phone && (
        <Dialog open={open} onOpenChange={setOpen} title="Notices" actions={actions}>
          {items}
        </Dialog>
      )}
    </>
  )
}

/** `until` is the newest notice that can be seen: one that comes in this very moment stays unread. */
function ReadAll({ unread, until }: { unread: number; until: string | undefined }) {
  const { readAll } = useReadNotices()
  return (
    <Button
      size="small"
      icon={<CheckCheck aria-hidden="true" />}
      isDisabled={unread === 0 || until === undefined}
      pending={readAll.isPending}
      onPress={({ target }) => {
        // This button can do nothing more afterwards; the focus goes to what was read.
        target.closest('[role=dialog]')?.querySelector<HTMLElement>('li a')?.focus()
        if (until !== undefined) readAll.mutate({ until })
      }}
    >
      Mark all as read
    </Button>
  )
}
