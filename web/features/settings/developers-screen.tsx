import { trpc } from '../../lib/trpc.ts'
import { WebhookEndpoints } from '../webhooks/webhook-endpoints.tsx'
import { ApiKeys } from './api-keys.tsx'
import { ConnectedAssistants } from './connected-assistants.tsx'
import styles from './settings-screen.module.css'

/** /settings/developers: the keys that programs of the artist call with, the assistants they connected, and the addresses that are called. */
export function DevelopersScreen() {
  const keys = trpc.keys.list.useQuery()
  const assistants = trpc.assistants.list.useQuery()
  // The length of a list is unknown until it is loaded: what is below appears after it, so that nothing moves.
  const areKeysThere = !keys.isPending
  const areAssistantsThere = areKeysThere && !assistants.isPending
  return (
    <div className={styles['screen']}>
      <ApiKeys />
      {areKeysThere && <ConnectedAssistants />}
      {areAssistantsThere && <WebhookEndpoints />}
    </div>
  )
}
