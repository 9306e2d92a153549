import { mediaMessages } from '@flashsheet/contracts/plain/media'
import { trpc } from '../../lib/trpc.ts'
import { Alert } from '../../ui/alert.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'

/** Says that nothing more can be uploaded, before somebody tries; nothing while there is room. */
export function LibraryFull() {
  const usage = trpc.media.usage.useQuery()
  if (!usage.data || usage.data.count < usage.data.capacity) return null
  return (
    <Alert
      tone="warning"
      action={
        <ButtonLink size="small" to="/media">
          Open Media
        </ButtonLink>
      }
    >
      {mediaMessages.libraryFull}
    </Alert>
  )
}
