import { trpc } from '../../lib/trpc.ts'
import { WebhookEndpoints } from '../webhooks/webhook-endpoints.tsx'
import { ApiKeys } from './api-keys.tsx'
import { ConnectedAssistants } from './connected-assistants.tsx'
import layout from '../../ui/layout.module.css'

/** /settings/developers: API keys, connected assistants, and webhook endpoints. */
export function DevelopersScreen() {
  const keys = trpc.keys.list.useQuery()
  const assistants = trpc.assistants.list.useQuery()
  // The height of a list is unknown until it has loaded, so the section below it is rendered afterwards, to avoid a layout shift.
  const areKeysLoaded = !keys.isPending
  const areAssistantsLoaded = areKeysLoaded && !assistants.isPending
  return (
    <div className={layout['narrow-column']}>
      <ApiKeys />
      {areKeysLoaded && <ConnectedAssistants />}
      {areAssistantsLoaded && <WebhookEndpoints />}
    </div>
  )
}
