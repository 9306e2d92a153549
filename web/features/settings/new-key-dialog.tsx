import { keyScopes, type KeyScope } from '@flashsheet/contracts/keys/limits'
import { keyMessages, scopeLabels } from '@flashsheet/contracts/keys/messages'
import { grantsScope } from '@flashsheet/contracts/keys/rules'
import { useId, useState } from 'react'
import { failureOf } from '../../lib/failure.ts'
import { useFailure } from '../../lib/use-failure.ts'
import { trpc } from '../../lib/trpc.ts'
import { useSingleFlight } from '../../lib/use-single-flight.ts'
import { FailureAlert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { OneTimeSecretDialog } from '../parts/one-time-secret-dialog.tsx'
import layout from '../../ui/layout.module.css'
import text from '../../ui/text.module.css'

const dayMs = 86_400_000
const endLabels = { '30': 'In 30 days', '90': 'In 90 days', '365': 'In a year', never: 'Never' } as const
type End = keyof typeof endLabels

const expiryOf = (end: End): string | null =>
  end === 'never' ? null : new Date(Date.now() + Number(end) * dayMs).toISOString()

type Props = { open: boolean; onClose: () => void }

/** Asks for the name and scopes of a new key, then shows the key once. */
export function NewKeyDialog({ open, onClose }: Props) {
  const utils = trpc.useUtils()
  const formId = useId()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly KeyScope[]>([])
  const [end, setEnd] = useState<End>('365')
  const { failure, show: showFailure, clear: clearFailure } = useFailure()
  const create = trpc.keys.create.useMutation({
    onMutate: clearFailure,
    onSuccess: async () => await utils.keys.list.invalidate(),
    onError: (error) => showFailure(failureOf(error, keyMessages.createFailed)),
  })
  const make = useSingleFlight(create.mutateAsync)
  const created = create.data
  if (created) {
    return (
      <OneTimeSecretDialog
        open={open}
        onClose={onClose}
        title="Your new key"
        value={created.key}
        action="Copy the key"
        copied={keyMessages.copied}
        failed={keyMessages.copyFailed}
      >
        It is not shown again. Whoever has it can do what it may, so keep it where you keep passwords.
      </OneTimeSecretDialog>
    )
  }
  const send = () => {
    const fields = {
      ...(name.trim() === '' ? { name: keyMessages.nameRequired } : {}),
      ...(scopes.length === 0 ? { scopes: keyMessages.scopesWrong } : {}),
    }
    if (Object.keys(fields).length > 0) return showFailure({ message: '', code: 'invalid', fields })
    make({ name, scopes: [...scopes], expiresAt: expiryOf(end) })
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Make a key"
      busy={create.isPending}
      actions={
        <>
          <Button onPress={onClose} isDisabled={create.isPending}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" form={formId} pending={create.isPending}>
            Make the key
          </Button>
        </>
      }
    >
      <Form
        id={formId}
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        {failure && !failure.fields && <FailureAlert failure={failure} />}
        <TextField
          label="Name"
          description="What will use it, such as “Backup script”."
          value={name}
          onChange={(next) => {
            setName(next)
            clearFailure()
          }}
          autoComplete="off"
          error={failure?.fields?.['name']}
        />
        <Scopes
          chosen={scopes}
          onChange={(next) => {
            setScopes(next)
            clearFailure()
          }}
          error={failure?.fields?.['scopes']}
        />
        <Select
          label="Ends"
          value={end}
          onChange={setEnd}
          options={(Object.keys(endLabels) as End[]).map((value) => ({ value, label: endLabels[value] }))}
        />
      </Form>
    </Dialog>
  )
}

type ScopesProps = { chosen: readonly KeyScope[]; onChange: (next: KeyScope[]) => void; error: string | undefined }

function Scopes({ chosen, onChange, error }: ScopesProps) {
  return (
    <fieldset className={layout['fieldset']}>
      <legend className={text['legend']}>It may</legend>
      {error && (
        <p className={text['error']} role="alert">
          {error}
        </p>
      )}
      {keyScopes.map((scope) => (
        <Checkbox
          key={scope}
          checked={grantsScope(chosen, scope)}
          // A write scope includes its read scope.
          disabled={!chosen.includes(scope) && grantsScope(chosen, scope)}
          onChange={(on) => onChange(on ? [...chosen, scope] : chosen.filter((one) => one !== scope))}
        >
          {scopeLabels[scope]}
        </Checkbox>
      ))}
    </fieldset>
  )
}
