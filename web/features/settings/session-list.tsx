import type { Session } from '@flashsheet/contracts/auth/schema'
import { authFallbacks } from '@flashsheet/contracts/auth/messages'
import { Monitor, Smartphone } from 'lucide-react'
import { toastFailure } from '../../lib/toast-failure.ts'
import { formatScheduled } from '../../lib/format.ts'
import { trpc } from '../../lib/trpc.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { toast } from '../../ui/toast.tsx'
import { useSettling } from '../../ui/use-settling.ts'
import { deviceName } from '../auth/device-name.ts'
import layout from '../../ui/layout.module.css'
import text from '../../ui/text.module.css'
import styles from './session-list.module.css'
import { PendingQuery } from '../parts/pending-query.tsx'

const handheldSystems = ['iPhone', 'iPad', 'Android']

export function SessionList() {
  const utils = trpc.useUtils()
  const sessions = trpc.auth.sessions.useQuery()
  const handlers = {
    onSuccess: async ({ message }: { message: string }) => {
      toast.success(message)
      await utils.auth.sessions.invalidate()
    },
    onError: async (error: unknown) => {
      // Already ended: reloading the list is enough.
      toastFailure(error, authFallbacks.endSession, ({ code }) => code === 'notFound')
      await utils.auth.sessions.invalidate()
    },
  }
  const end = trpc.auth.endSession.useMutation(handlers)
  const endOthers = trpc.auth.endOtherSessions.useMutation(handlers)
  const settling = useSettling(sessions.data?.length)
  const others = sessions.data?.filter((session) => !session.current) ?? []
  return (
    <Card
      title="Where you are logged in"
      note="An account is for one person, on any number of devices. Is there a device you do not recognise? Log it out and change your password."
      foot={
        others.length > 1 && (
          <Button pending={endOthers.isPending} onPress={() => endOthers.mutate()}>
            Log out everywhere else
          </Button>
        )
      }
    >
      {sessions.data ? (
        <ul data-settling={settling}>
          {sessions.data.map((session) => (
            <SessionItem
              key={session._id}
              session={session}
              isEnding={end.isPending && end.variables.id === session._id}
              onEnd={() => end.mutate({ id: session._id })}
            />
          ))}
        </ul>
      ) : (
        <PendingQuery query={sessions} label="Loading your devices" failed="Your devices could not be loaded" />
      )}
    </Card>
  )
}

function SessionItem({ session, isEnding, onEnd }: { session: Session; isEnding: boolean; onEnd: () => void }) {
  const Icon = session.system && handheldSystems.includes(session.system) ? Smartphone : Monitor
  const name = session.browser || session.system ? deviceName(session) : 'Unknown device'
  return (
    <li className={layout['entry']}>
      <Icon className={styles['icon']} />
      <div className={layout['rest']}>
        <p className={text['strong']}>{name}</p>
        <p className={text['note']}>
          {session.current ? 'In use now' : `Last seen ${formatScheduled(session.lastSeenAt)}`}, logged in{' '}
          {formatScheduled(session.createdAt)}
        </p>
      </div>
      {session.current ? (
        <Badge tone="success">This one</Badge>
      ) : (
        <Button
          size="small"
          pending={isEnding}
          onPress={onEnd}
          aria-label={`Log out ${name}, last seen ${formatScheduled(session.lastSeenAt)}`}
        >
          Log out
        </Button>
      )}
    </li>
  )
}
