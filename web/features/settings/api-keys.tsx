import { keyLimits } from '@flashsheet/contracts/keys/limits'
import { keyMessages, scopeLabels } from '@flashsheet/contracts/keys/messages'
import type { ApiKey } from '@flashsheet/contracts/keys/schema'
import { KeyRound } from 'lucide-react'
import { deletionHandlers } from '../../lib/deletion-handlers.ts'
import { toastFailure } from '../../lib/toast-failure.ts'
import { formatScheduled } from '../../lib/format.ts'
import { trpc } from '../../lib/trpc.ts'
import { useNow } from '../../lib/use-now.ts'
import { AlertDialog } from '../../ui/alert-dialog.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { toast } from '../../ui/toast.tsx'
import { useDialog } from '../../lib/use-dialog.ts'
import layout from '../../ui/layout.module.css'
import text from '../../ui/text.module.css'
import styles from './api-keys.module.css'
import { NewKeyDialog } from './new-key-dialog.tsx'
import { PendingQuery } from '../parts/pending-query.tsx'

export function ApiKeys() {
  const utils = trpc.useUtils()
  const keys = trpc.keys.list.useQuery()
  const newKeyDialog = useDialog()
  const deleteDialog = useDialog<ApiKey>()
  const keyToDelete = deleteDialog.about
  const revoke = trpc.keys.revoke.useMutation({
    ...deletionHandlers(
      () => toast.success(keyMessages.revoked),
      (error) => toastFailure(error, keyMessages.revokeFailed),
    ),
    onSettled: async () => {
      deleteDialog.close()
      await utils.keys.list.invalidate()
    },
  })
  const isFull = (keys.data?.length ?? 0) >= keyLimits.keysPerArtist
  const newKeyButton = (
    <Button variant="primary" isDisabled={!keys.data || isFull} onPress={() => newKeyDialog.show()}>
      Make a key
    </Button>
  )
  return (
    <>
      <Card
        title="API keys"
        note="A program that has a key acts for you, within what the key may do. Keys go on working when you change your password: delete the ones you no longer need."
        foot={keys.data && keys.data.length > 0 && newKeyButton}
      >
        {!keys.data ? (
          <PendingQuery query={keys} label="Loading your keys" failed={keyMessages.loadFailed} />
        ) : keys.data.length === 0 ? (
          <EmptyState variant="bare" icon={<KeyRound />} title="No keys yet" action={newKeyButton}>
            Make one for each program, so that you can take it away from one alone.
          </EmptyState>
        ) : (
          <>
            <ul>
              {keys.data.map((key) => (
                <KeyItem key={key._id} apiKey={key} onDelete={() => deleteDialog.show(key)} />
              ))}
            </ul>
            {isFull && <p className={text['note']}>{keyMessages.full}</p>}
          </>
        )}
      </Card>
      <NewKeyDialog key={newKeyDialog.key} open={newKeyDialog.open} onClose={newKeyDialog.close} />
      <AlertDialog
        open={deleteDialog.open}
        onClose={deleteDialog.close}
        title={`Delete the key “${keyToDelete?.name ?? ''}”?`}
        action="Delete the key"
        cancel="Keep it"
        pending={revoke.isPending}
        onAction={() => {
          if (keyToDelete) revoke.mutate({ id: keyToDelete._id })
        }}
      >
        Programs that call with it are refused at once. It cannot be brought back.
      </AlertDialog>
    </>
  )
}

function KeyItem({ apiKey, onDelete }: { apiKey: ApiKey; onDelete: () => void }) {
  const { name, prefix, scopes, createdAt, lastUsedAt, expiresAt } = apiKey
  const now = useNow()
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= now
  return (
    <li className={styles['item']}>
      <div className={layout['breakable-rest']}>
        <p className={text['strong']}>
          {name} {isExpired && <Badge tone="danger">Expired</Badge>}
        </p>
        <p className={text['note']}>
          <code>{prefix}…</code>
        </p>
        <p className={text['note']}>
          {lastUsedAt ? `Last used ${formatScheduled(lastUsedAt)}` : 'Never used'}, made {formatScheduled(createdAt)}
          {expiresAt && !isExpired && `, ends ${formatScheduled(expiresAt)}`}
        </p>
        <ul className={styles['scopes']}>
          {scopes.map((scope) => (
            <li key={scope}>{scopeLabels[scope]}</li>
          ))}
        </ul>
      </div>
      <Button size="small" onPress={onDelete} aria-label={`Delete the key ${name}`}>
        Delete
      </Button>
    </li>
  )
}
