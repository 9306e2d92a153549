import { siteLimits } from '@flashsheet/contracts/website/limits'
import { galleryMessages } from '@flashsheet/contracts/website/messages'
import { Flash, type GalleryItem } from '@flashsheet/contracts/website/schema'
import { toastFailure } from '../../lib/toast-failure.ts'
import { trpc } from '../../lib/trpc.ts'
import { useSingleFlight } from '../../lib/use-single-flight.ts'
import { fieldErrors } from '../../lib/validation.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.tsx'
import { useForm } from '../../ui/use-form.ts'

/** Marks a picture of the gallery as flash that clients can book, edits its title and price, or unmarks it. */
export function FlashDialog({ entry, onClose }: { entry: GalleryItem; onClose: () => void }) {
  const utils = trpc.useUtils()
  // The gallery may have been read long ago: a piece that another device has marked as taken must not become available again.
  trpc.website.gallery.useQuery(undefined, { refetchOnMount: 'always' })
  const form = useForm(entry.flash ?? { title: '', price: '', isTaken: false }, (values) => fieldErrors(Flash, values))
  const change = trpc.website.setFlash.useMutation({
    onSuccess: (all) => {
      utils.website.gallery.setData(undefined, all)
      onClose()
      toast.success(galleryMessages.flashSaved)
    },
    onError: async (error) => {
      toastFailure(error, galleryMessages.flashFailed)
      await utils.website.gallery.invalidate()
    },
  })
  const send = useSingleFlight(change.mutateAsync)
  const taken = form.field('isTaken')
  return (
    <Dialog
      open
      onClose={onClose}
      title="Available flash"
      busy={change.isPending}
      actions={
        <>
          {entry.flash && (
            <Button onPress={() => send({ id: entry._id, flash: null })} isDisabled={change.isPending}>
              Remove from flash
            </Button>
          )}
          <Button type="submit" form="flash" variant="primary" pending={change.isPending}>
            Save
          </Button>
        </>
      }
    >
      <Form id="flash" aria-label="Available flash" onSubmit={form.submit((flash) => send({ id: entry._id, flash }))}>
        <p>Clients see it under “Available flash”, once that part of your page is on.</p>
        <TextField label="Title" max={siteLimits.line} {...form.field('title')} />
        <TextField label="Price" placeholder="$120" max={siteLimits.price} {...form.field('price')} />
        <Checkbox checked={taken.value} onChange={taken.onChange}>
          Taken: shown without “Book this”
        </Checkbox>
      </Form>
    </Dialog>
  )
}
