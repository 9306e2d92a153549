import { mediaMessages } from '@flashsheet/contracts/media/messages'
import { declaredFileRefusal } from '@flashsheet/contracts/media/rules'
import { SiteImage } from '@flashsheet/contracts/website/schema'
import { siteMessages } from '@flashsheet/contracts/website/messages'
import type { ImageSlot } from '@flashsheet/contracts/website/limits'
import { useEffect, useRef, useState } from 'react'
import { failureOf } from '../../lib/failure.ts'
import { sendFiles } from '../../lib/send-files.ts'
import { reportCallError } from '../../lib/session-end.ts'
import { showFailureToast } from '../../lib/toast-failure.ts'
import { useIsMounted } from '../../lib/use-is-mounted.ts'

/** A running or failed upload. `preview` is an object URL. */
export type ImageUpload = { preview: string; error: string | null; file: File }

export type ImageUploads = ReturnType<typeof useImageUploads>

/** Uploads images as soon as they are picked; `onUploaded` gets each of them. */
export function useImageUploads(onUploaded: (slot: ImageSlot, image: SiteImage) => void) {
  const [uploads, setUploads] = useState<Partial<Record<ImageSlot, ImageUpload>>>({})
  /** Running and failed uploads. An image that has arrived is in the draft, where it can be replaced or discarded. */
  const running = useRef(new Map<ImageSlot, { attempt: symbol; done: Promise<SiteImage | undefined> }>())
  const isMounted = useIsMounted()
  const previews = useRef(new Set<string>())
  useEffect(() => {
    const created = previews.current
    return () => {
      for (const preview of created) URL.revokeObjectURL(preview)
    }
  }, [])

  const remove = (slot: ImageSlot) => setUploads(({ [slot]: _removed, ...rest }) => rest)

  const send = (slot: ImageSlot, file: File) => {
    const preview = URL.createObjectURL(file)
    previews.current.add(preview)
    const attempt = Symbol(slot)
    const isCurrent = () => running.current.get(slot)?.attempt === attempt
    setUploads((before) => ({ ...before, [slot]: { preview, error: null, file } }))
    const done = upload(file).then(
      (image) => {
        if (!isCurrent()) return undefined
        running.current.delete(slot)
        onUploaded(slot, image)
        remove(slot)
        return image
      },
      (error: unknown) => {
        reportCallError(error)
        if (!isCurrent()) return undefined
        const { message, code } = failureOf(error, siteMessages.uploadFailed)
        if (isMounted()) setUploads((before) => ({ ...before, [slot]: { preview, error: message, file } }))
        else showFailureToast({ message: `${file.name}: ${message}`, code })
        return undefined
      },
    )
    running.current.set(slot, { attempt, done })
  }

  return {
    uploads,
    send,
    discard(slot: ImageSlot) {
      running.current.delete(slot)
      remove(slot)
    },
    discardAll() {
      running.current.clear()
      setUploads({})
    },
    /** Waits for running uploads. Returns the first slot whose upload failed, and the images that arrived meanwhile. */
    async waitForUploads() {
      const uploaded: Partial<Record<ImageSlot, SiteImage>> = {}
      let failed: ImageSlot | undefined
      for (const [slot, { attempt, done }] of running.current) {
        const image = await done
        if (image) uploaded[slot] = image
        else if (running.current.get(slot)?.attempt === attempt) failed ??= slot
      }
      return { failed, uploaded }
    },
  }
}

async function upload(file: File): Promise<SiteImage> {
  const refusal = file.type.startsWith('image/') ? declaredFileRefusal(file.type, file.size) : mediaMessages.imageType
  if (refusal !== undefined) throw refused(refusal)
  return SiteImage.parse(await sendFiles('/api/websitebuilder/image', 'file', [file]))
}

/** An error in the shape of a refusal by the server, so that `failureOf` reads it. */
const refused = (message: string) => Object.assign(new Error(message), { message, code: 'invalid' })
