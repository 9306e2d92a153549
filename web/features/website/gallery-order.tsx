import { imageTypes } from '@flashsheet/contracts/media/limits'
import { mediaMessages } from '@flashsheet/contracts/media/messages'
import type { MediaItem } from '@flashsheet/contracts/media/schema'
import { galleryLimits } from '@flashsheet/contracts/website/limits'
import { galleryMessages } from '@flashsheet/contracts/website/messages'
import type { GalleryItem } from '@flashsheet/contracts/website/schema'
import { ArrowDown, ArrowUp, GripVertical, Images, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button as AriaButton, FileTrigger, GridList, GridListItem, useDragAndDrop } from 'react-aria-components'
import { failureOf } from '../../lib/failure.ts'
import { noteRefusal } from '../../lib/session-end.ts'
import { trpc } from '../../lib/trpc.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.tsx'
import styles from './gallery-order.module.css'

/** The gallery in the order visitors see it, with words for who cannot see. Each change is kept at once. */
export function GalleryOrder() {
  const utils = trpc.useUtils()
  const gallery = trpc.website.gallery.useQuery()
  const media = trpc.media.list.useQuery()
  const say = (error: unknown, fallback: string) => {
    const failure = failureOf(error, fallback)
    toast.error(failure.message, failure.detail)
  }
  const settle = async () => await utils.website.gallery.invalidate()
  const reorder = trpc.website.reorderGallery.useMutation({
    onMutate: async ({ ids }) => {
      await utils.website.gallery.cancel()
      const before = utils.website.gallery.getData()
      utils.website.gallery.setData(undefined, (all) => ids.flatMap((id) => all?.find((one) => one._id === id) ?? []))
      return before
    },
    onError: (error, _input, before) => {
      utils.website.gallery.setData(undefined, before)
      say(error, 'The new order could not be saved.')
    },
    onSettled: settle,
  })
  const describe = trpc.website.describeGalleryItem.useMutation({
    onSuccess: (all) => utils.website.gallery.setData(undefined, all),
    onError: (error) => say(error, 'The description could not be saved.'),
  })
  const remove = trpc.website.removeFromGallery.useMutation({
    onSuccess: () => toast.success(galleryMessages.removedMany(1)),
    onError: (error) => say(error, galleryMessages.removeFailed),
    onSettled: settle,
  })
  const entries = gallery.data ?? []
  const ids = entries.map((entry) => entry._id)
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ 'text/plain': String(key) })),
    onReorder: ({ keys, target }) => {
      const moved = ids.filter((id) => keys.has(id))
      const rest = ids.filter((id) => !keys.has(id))
      const at = rest.indexOf(String(target.key)) + (target.dropPosition === 'after' ? 1 : 0)
      reorder.mutate({ ids: [...rest.slice(0, at), ...moved, ...rest.slice(at)] })
    },
  })
  const move = (index: number, by: -1 | 1) => {
    const next = [...ids]
    const [id] = next.splice(index, 1)
    if (id !== undefined) next.splice(index + by, 0, id)
    reorder.mutate({ ids: next })
  }

  if (gallery.error && !gallery.data) {
    return (
      <Alert
        tone="danger"
        live
        title={failureOf(gallery.error, 'Your gallery could not be loaded.').message}
        action={
          <Button size="small" onPress={() => void gallery.refetch()}>
            Try again
          </Button>
        }
      />
    )
  }
  if (!gallery.data || !media.data)
    return (
      <div className={styles['ghost']}>
        <Skeleton shape="block" />
      </div>
    )
  if (entries.length === 0) {
    return (
      <EmptyState look="bare" icon={<Images />} title={galleryMessages.emptyTitle} action={<AddPictures />}>
        <p>Pictures you add here, or under Media, are what visitors see first.</p>
      </EmptyState>
    )
  }
  return (
    <>
      <GridList
        aria-label="Gallery, in the order visitors see it"
        className={styles['list'] ?? ''}
        items={entries.map((entry, index) => ({ ...entry, id: entry._id, index }))}
        dependencies={[media.data, ids.length]}
        dragAndDropHooks={dragAndDropHooks}
        keyboardNavigationBehavior="tab"
      >
        {(entry) => (
          <GridListItem
            id={entry.id}
            className={styles['row'] ?? ''}
            textValue={entry.altText || nameOf(media.data, entry._id)}
          >
            <AriaButton slot="drag" className={styles['grip'] ?? ''} aria-label="Move">
              <GripVertical aria-hidden="true" />
            </AriaButton>
            <img
              className={styles['thumbnail']}
              src={media.data.find((item) => item._id === entry._id)?.thumbnailUrl}
              alt=""
            />
            <AltText
              entry={entry}
              name={nameOf(media.data, entry._id)}
              onSave={(altText) => describe.mutate({ id: entry._id, altText })}
            />
            <span className={styles['actions']}>
              <IconButton
                label="Earlier"
                size="small"
                isDisabled={entry.index === 0}
                onPress={() => move(entry.index, -1)}
              >
                <ArrowUp />
              </IconButton>
              <IconButton
                label="Later"
                size="small"
                isDisabled={entry.index === entries.length - 1}
                onPress={() => move(entry.index, 1)}
              >
                <ArrowDown />
              </IconButton>
              <IconButton
                label="Remove from the gallery"
                size="small"
                onPress={() => remove.mutate({ ids: [entry._id] })}
              >
                <Trash2 />
              </IconButton>
            </span>
          </GridListItem>
        )}
      </GridList>
      <div className={styles['add']}>
        <AddPictures />
      </div>
    </>
  )
}

const nameOf = (media: readonly MediaItem[], id: string) => media.find((item) => item._id === id)?.fileName ?? 'Picture'

function AltText({ entry, name, onSave }: { entry: GalleryItem; name: string; onSave: (altText: string) => void }) {
  // Null: nothing typed since it was saved.
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <TextField
      label={`What ${name} shows`}
      labelHidden
      placeholder="What does it show?"
      value={typed ?? entry.altText}
      onChange={setTyped}
      onBlur={() => {
        if (typed !== null && typed.trim() !== entry.altText && typed.length <= galleryLimits.altText) onSave(typed)
        setTyped((still) => (still !== null && still.length > galleryLimits.altText ? still : null))
      }}
      error={(typed?.length ?? 0) > galleryLimits.altText ? galleryMessages.altTextTooLong : undefined}
    />
  )
}

/** Pictures from this device, into the library and the gallery at once. */
function AddPictures() {
  const utils = trpc.useUtils()
  const [isSending, setSending] = useState(false)
  const send = async (files: readonly File[]) => {
    if (files.length === 0) return
    setSending(true)
    try {
      const form = new FormData()
      for (const file of files) form.append('files', file)
      const response = await fetch('/api/websitebuilder/upload', {
        method: 'POST',
        body: form,
        credentials: 'same-origin',
        signal: AbortSignal.timeout(300_000),
      })
      const body: unknown = await response.json().catch(() => ({}))
      if (!response.ok) throw body
      toast.success(files.length === 1 ? galleryMessages.added : galleryMessages.addedMany(files.length))
    } catch (error) {
      noteRefusal(error)
      const failure = failureOf(error, mediaMessages.uploadFailed)
      toast.error(failure.message, failure.detail)
    } finally {
      setSending(false)
      await Promise.all([
        utils.website.gallery.invalidate(),
        utils.media.list.invalidate(),
        utils.media.usage.invalidate(),
      ])
    }
  }
  return (
    <FileTrigger acceptedFileTypes={imageTypes} allowsMultiple onSelect={(files) => void send([...(files ?? [])])}>
      <Button icon={<Plus aria-hidden="true" />} pending={isSending} pendingLabel="Uploading...">
        Add pictures
      </Button>
    </FileTrigger>
  )
}
