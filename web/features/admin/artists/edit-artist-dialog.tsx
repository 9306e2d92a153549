import { adminMessages } from '@flashsheet/contracts/admin/messages'
import { type ArtistDetail, UpdateUserInput } from '@flashsheet/contracts/admin/schema'
import { useUnsentText } from '../../../lib/session-end.ts'
import { toastFailure } from '../../../lib/toast-failure.ts'
import { trpc } from '../../../lib/trpc.ts'
import { useSingleFlight } from '../../../lib/use-single-flight.ts'
import { fieldErrors } from '../../../lib/validation.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useForm } from '../../../ui/use-form.ts'

type EditProps = { artist: ArtistDetail; isOwn: boolean; open: boolean; onClose: () => void }

/** Changes the name or the address; a new address must be verified. */
export function EditArtistDialog({ artist, isOwn, open, onClose }: EditProps) {
  const utils = trpc.useUtils()
  // An admin who could change another admin's address could take over that account.
  const isAddressFixed = isOwn || artist.isAdmin
  const form = useForm({ name: artist.name, email: artist.email }, (values) =>
    fieldErrors(UpdateUserInput, { id: artist._id, ...values }),
  )
  const hasEdits = open && Object.keys(form.edits).length > 0
  useUnsentText(`artist ${artist._id}`, hasEdits ? form.edits : undefined, form.set)
  const change = trpc.admin.updateUser.useMutation({
    onSuccess: async () => {
      onClose()
      toast.success(adminMessages.updated)
      await utils.admin.invalidate()
    },
    onError: (error) => toastFailure(error, 'Something went wrong', ({ fields }) => form.showErrors(fields)),
  })
  const send = useSingleFlight(change.mutateAsync)
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title="Edit name and address"
      unsaved={hasEdits}
      action="Save"
      pending={change.isPending}
      onSubmit={form.submit(() => send({ id: artist._id, ...form.edits }))}
    >
      <TextField label="Name" {...form.field('name')} />
      <TextField
        label="Email"
        type="email"
        inputMode="email"
        disabled={isAddressFixed}
        description={
          isOwn
            ? adminMessages.ownAddress
            : isAddressFixed
              ? adminMessages.staffAddress
              : 'A new address must be verified: the artist is logged out, gets a link at the new address, and then logs in with the same password. The old address gets an email about it.'
        }
        {...form.field('email')}
      />
    </FormDialog>
  )
}
