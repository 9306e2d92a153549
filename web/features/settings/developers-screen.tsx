import { ApiKeys } from './api-keys.tsx'
import { ConnectedAssistants } from './connected-assistants.tsx'
import { WebhookEndpoints } from '../webhooks/webhook-endpoints.tsx'
import styles from './settings-screen.module.css'

/** /settings/developers: the keys that programs of the artist call with, the assistants they connected, and the addresses that are called. */
export function DevelopersScreen() {
  return (
    <div className={styles['screen']}>
      <ApiKeys />
      <ConnectedAssistants />
      <WebhookEndpoints />
    </div>
  )
}
