import { imageTypes } from '@flashsheet/contracts/media/limits'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import { galleryMessages } from '@flashsheet/contracts/website/messages'
import { Plus, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { FileTrigger } from 'react-aria-components'
import { errorBodyOf } from '../../lib/failure.ts'
import { sendFiles } from '../../lib/send-files.ts'
import { reportCallError } from '../../lib/session-end.ts'
import { toastFailure } from '../../lib/toast-failure.ts'
import { trpc } from '../../lib/trpc.ts'
import { useSingleFlight } from '../../lib/use-single-flight.ts'
import { newUuid } from '../../lib/uuid.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.tsx'
import { MediaPicker } from '../media/media-picker.tsx'
import styles from './add-pictures.module.css'

export function AddPictures({ inGallery }: { inGallery: readonly string[] }) {
  const [isOpen, setOpen] = useState(false)
  const [picked, setPicked] = useState<readonly string[]>([])
  const utils = trpc.useUtils()
  const close = () => setOpen(false)
  const add = trpc.website.addToGallery.useMutation({
    onSuccess: () => {
      toast.success(galleryMessages.added(picked.length))
      close()
    },
    onError: (error) => toastFailure(error, galleryMessages.addFailed),
    onSettled: async () => await utils.website.gallery.invalidate(),
  })
  const addPicked = useSingleFlight(add.mutateAsync)
  const { isSending, send } = useDeviceUpload(close)
  const upload = (
    <FileTrigger acceptedFileTypes={imageTypes} allowsMultiple onSelect={(files) => void send([...(files ?? [])])}>
      <Button icon={<Upload />} pending={isSending} pendingLabel="Uploading...">
        Upload pictures
      </Button>
    </FileTrigger>
  )
  return (
    <>
      <Button
        icon={<Plus />}
        onPress={() => {
          setPicked([])
          setOpen(true)
        }}
      >
        Add pictures
      </Button>
      <Dialog
        open={isOpen}
        onClose={close}
        title="Add to your gallery"
        size="wide"
        steady
        busy={isSending || add.isPending}
        actions={
          <>
            {upload}
            <Button
              variant="primary"
              isDisabled={picked.length === 0}
              pending={add.isPending}
              onPress={() => addPicked({ ids: [...picked] })}
            >
              {picked.length < 2 ? 'Add' : `Add ${picked.length}`}
            </Button>
          </>
        }
      >
        <div className={styles['library']}>
          <MediaPicker
            selected={picked}
            onToggle={({ _id }) =>
              setPicked((now) => (now.includes(_id) ? now.filter((id) => id !== _id) : [...now, _id]))
            }
            disabledReason={({ _id }) => (inGallery.includes(_id) ? 'In your gallery already' : null)}
          />
        </div>
      </Dialog>
    </>
  )
}

/** Uploads files to the media library and adds them to the gallery, in one request. */
function useDeviceUpload(onDone: () => void) {
  const utils = trpc.useUtils()
  const [isSending, setSending] = useState(false)
  /** The last files without a success. They may be stored although their answer was lost, so a repeat has their id. */
  const unanswered = useRef<{ files: string; requestId: string } | null>(null)
  const sendOnce = async (files: readonly File[]): Promise<void> => {
    // Phones set `lastModified` anew each time a picture is picked.
    const picked = JSON.stringify(files.map(({ name, size }) => [name, size]))
    const repeated = unanswered.current?.files === picked ? unanswered.current : null
    const sending = repeated ?? { files: picked, requestId: newUuid() }
    unanswered.current = sending
    try {
      await sendFiles('/api/websitebuilder/upload', 'files', files, sending.requestId)
    } catch (error) {
      // The server has compared the bytes: these are other pictures of the same names and sizes.
      if (!repeated || errorBodyOf(error)?.message !== mediaMessages.requestReused) throw error
      unanswered.current = null
      await sendOnce(files)
    }
    unanswered.current = null
  }
  const send = async (files: readonly File[]) => {
    if (files.length === 0) return
    setSending(true)
    try {
      await sendOnce(files)
      toast.success(galleryMessages.added(files.length))
      onDone()
    } catch (error) {
      reportCallError(error)
      toastFailure(error, mediaMessages.uploadFailed)
    } finally {
      setSending(false)
      await Promise.all([
        utils.website.gallery.invalidate(),
        utils.media.list.invalidate(),
        utils.media.usage.invalidate(),
      ])
    }
  }
  return { isSending, send }
}
