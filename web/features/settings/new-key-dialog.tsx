import { keyScopes, type KeyScope } from '@flashsheet/contracts/keys/limits'
import { keyMessages, scopeLabels } from '@flashsheet/contracts/keys/messages'
import { grantsScope } from '@flashsheet/contracts/keys/rules'
import { trpc } from '../../lib/trpc.ts'
import { useFormFailure } from '../../lib/use-form-failure.ts'
import { useSingleFlight } from '../../lib/use-single-flight.ts'
import { FailureAlert } from '../../ui/alert.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useForm } from '../../ui/use-form.ts'
import { OneTimeSecretDialog } from '../parts/one-time-secret-dialog.tsx'
import layout from '../../ui/layout.module.css'
import text from '../../ui/text.module.css'

const dayMs = 86_400_000
const endLabels = { '30': 'In 30 days', '90': 'In 90 days', '365': 'In a year', never: 'Never' } as const
type End = keyof typeof endLabels

const expiryOf = (end: End): string | null =>
  end === 'never' ? null : new Date(Date.now() + Number(end) * dayMs).toISOString()

type Values = { name: string; scopes: readonly KeyScope[]; end: End }
type Props = { open: boolean; onClose: () => void }

/** Asks for the name and scopes of a new key, then shows the key once. */
export function NewKeyDialog({ open, onClose }: Props) {
  const utils = trpc.useUtils()
  const form = useForm<Values>({ name: '', scopes: [], end: '365' }, ({ name, scopes }) => ({
    ...(name.trim() === '' ? { name: keyMessages.nameRequired } : {}),
    ...(scopes.length === 0 ? { scopes: keyMessages.scopesWrong } : {}),
  }))
  const { failure, handlers } = useFormFailure(form, keyMessages.createFailed)
  const create = trpc.keys.create.useMutation({
    ...handlers,
    onSuccess: async () => await utils.keys.list.invalidate(),
  })
  const make = useSingleFlight(create.mutateAsync)
  if (create.data) {
    return (
      <OneTimeSecretDialog
        open={open}
        onClose={onClose}
        title="Your new key"
        value={create.data.key}
        action="Copy the key"
        copied={keyMessages.copied}
        failed={keyMessages.copyFailed}
      >
        It is not shown again. Whoever has it can do what it may, so keep it where you keep passwords.
      </OneTimeSecretDialog>
    )
  }
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title="Make a key"
      action="Make the key"
      pending={create.isPending}
      onSubmit={form.submit(({ name, scopes, end }) => make({ name, scopes: [...scopes], expiresAt: expiryOf(end) }))}
    >
      {failure && <FailureAlert failure={failure} />}
      <TextField
        label="Name"
        description="What will use it, such as “Backup script”."
        autoComplete="off"
        {...form.field('name')}
      />
      <Scopes {...form.field('scopes')} />
      <Select
        label="Ends"
        options={(Object.keys(endLabels) as End[]).map((value) => ({ value, label: endLabels[value] }))}
        {...form.field('end')}
      />
    </FormDialog>
  )
}

type ScopesProps = {
  value: readonly KeyScope[]
  onChange: (next: readonly KeyScope[]) => void
  error: string | undefined
}

function Scopes({ value: chosen, onChange, error }: ScopesProps) {
  return (
    <fieldset className={layout['stack-1']}>
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
