import { assistantMessages } from '@flashsheet/contracts/assistants/messages'
import type { ConnectedAssistant } from '@flashsheet/contracts/assistants/schema'
import { scopeLabels } from '@flashsheet/contracts/keys/messages'
import { Bot } from 'lucide-react'
import { deletionHandlers } from '../../lib/deletion-handlers.ts'
import { toastFailure } from '../../lib/toast-failure.ts'
import { formatScheduled } from '../../lib/format.ts'
import { trpc } from '../../lib/trpc.ts'
import { useDialog } from '../../lib/use-dialog.ts'
import { AlertDialog } from '../../ui/alert-dialog.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { toast } from '../../ui/toast.tsx'
import layout from '../../ui/layout.module.css'
import text from '../../ui/text.module.css'
import styles from './api-keys.module.css'
import { PendingQuery } from '../parts/pending-query.tsx'

export function ConnectedAssistants() {
  const utils = trpc.useUtils()
  const assistants = trpc.assistants.list.useQuery()
  const disconnectDialog = useDialog<ConnectedAssistant>()
  const assistantToDisconnect = disconnectDialog.about
  const disconnect = trpc.assistants.disconnect.useMutation({
    ...deletionHandlers(
      () => toast.success(assistantMessages.disconnected),
      (error) => toastFailure(error, assistantMessages.disconnectFailed),
    ),
    onSettled: async () => {
      disconnectDialog.close()
      await utils.assistants.list.invalidate()
    },
  })
  return (
    <>
      <Card
        title="Connected assistants"
        note="An assistant that you connected acts for you, within what you agreed to, until you disconnect it."
      >
        {!assistants.data ? (
          <PendingQuery query={assistants} label="Loading your assistants" failed={assistantMessages.loadFailed} />
        ) : assistants.data.length === 0 ? (
          <EmptyState variant="bare" icon={<Bot />} title="No assistants yet">
            Give your assistant this address, and it asks for your consent:{' '}
            <code>{`${window.location.origin}/mcp`}</code>
          </EmptyState>
        ) : (
          <ul>
            {assistants.data.map((assistant) => (
              <AssistantItem
                key={assistant._id}
                assistant={assistant}
                onDisconnect={() => disconnectDialog.show(assistant)}
              />
            ))}
          </ul>
        )}
      </Card>
      <AlertDialog
        open={disconnectDialog.open}
        onClose={disconnectDialog.close}
        title={`Disconnect “${assistantToDisconnect?.name ?? ''}”?`}
        action="Disconnect"
        cancel="Keep it"
        pending={disconnect.isPending}
        onAction={() => {
          if (assistantToDisconnect) disconnect.mutate({ id: assistantToDisconnect._id })
        }}
      >
        It loses access at once. What it has posted or planned stays as it is.
      </AlertDialog>
    </>
  )
}

function AssistantItem({ assistant, onDisconnect }: { assistant: ConnectedAssistant; onDisconnect: () => void }) {
  const { name, host, scopes, createdAt, lastUsedAt } = assistant
  return (
    <li className={styles['item']}>
      <div className={layout['breakable-rest']}>
        <p className={text['strong']}>{name}</p>
        <p className={text['note']}>At {host}</p>
        <p className={text['note']}>
          {lastUsedAt ? `Last used ${formatScheduled(lastUsedAt)}` : 'Never used'}, connected{' '}
          {formatScheduled(createdAt)}
        </p>
        <ul className={styles['scopes']}>
          {scopes.map((scope) => (
            <li key={scope}>{scopeLabels[scope]}</li>
          ))}
        </ul>
      </div>
      <Button size="small" onPress={onDisconnect} aria-label={`Disconnect ${name}`}>
        Disconnect
      </Button>
    </li>
  )
}
