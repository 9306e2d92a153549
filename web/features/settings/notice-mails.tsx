import { noticeKindTexts, noticeMessages } from '@flashsheet/contracts/notices/messages'
import { noticeKinds, noticeMailDefaults } from '@flashsheet/contracts/notices/limits'
import { useQueryClient } from '@tanstack/react-query'
import { getMutationKey } from '@trpc/react-query'
import { useSessionUser } from '../../lib/session.ts'
import { toastFailure } from '../../lib/toast-failure.ts'
import { trpc } from '../../lib/trpc.ts'
import { Card } from '../../ui/card.tsx'
import { Switch } from '../../ui/switch.tsx'
import layout from '../../ui/layout.module.css'
import styles from './notice-mails.module.css'
import { LoadFailed } from '../parts/pending-query.tsx'

/** Chooses which notices are also sent by email. */
export function NoticeMails() {
  const utils = trpc.useUtils()
  const queryClient = useQueryClient()
  const mails = trpc.notices.mails.useQuery()
  const email = useSessionUser()?.email
  const choose = trpc.notices.chooseMail.useMutation({
    // One after the other, because the server may receive two requests in either order.
    scope: { id: 'notice-mails' },
    // An optimistic update, which an error reverts.
    onMutate: ({ kind, mail }) =>
      utils.notices.mails.setData(undefined, (before) => before && { ...before, [kind]: mail }),
    onSuccess: (saved) => {
      // While another choice waits, the screen shows that one.
      if (queryClient.isMutating({ mutationKey: getMutationKey(trpc.notices.chooseMail) }) === 1)
        utils.notices.mails.setData(undefined, saved)
    },
    onError: async (error, { kind, mail }) => {
      // Without a connection the choices cannot be loaded again either.
      utils.notices.mails.setData(undefined, (now) => now && { ...now, [kind]: !mail })
      toastFailure(error, noticeMessages.saveFailed)
      await utils.notices.mails.invalidate()
    },
  })
  return (
    <div id="notices">
      <Card
        title="Emails"
        note={
          email
            ? `The bell shows everything. What you switch on here also comes to ${email}.`
            : 'The bell shows everything. What you switch on here also comes by email.'
        }
      >
        {mails.error && !mails.data ? (
          <LoadFailed query={mails} failed="Your choices could not be loaded" />
        ) : (
          <ul className={layout['stack-3']}>
            {noticeKinds.map((kind) => (
              <li key={kind} className={styles['item']}>
                <Switch
                  // The default is shown until the choice has loaded.
                  on={mails.data?.[kind] ?? noticeMailDefaults[kind] !== 'off'}
                  onChange={(mail) => choose.mutate({ kind, mail })}
                  disabled={!mails.data || noticeMailDefaults[kind] === 'always'}
                  description={noticeKindTexts[kind].note}
                >
                  {noticeKindTexts[kind].title}
                </Switch>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </div>
  )
}
