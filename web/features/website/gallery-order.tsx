import type { MediaItem } from '@flashsheet/contracts/media/schema'
import { galleryLimits } from '@flashsheet/contracts/website/limits'
import { galleryMessages } from '@flashsheet/contracts/website/messages'
import type { GalleryItem } from '@flashsheet/contracts/website/schema'
import { useQueryClient } from '@tanstack/react-query'
import { getMutationKey } from '@trpc/react-query'
import { ArrowLeft, ArrowRight, GripVertical, Images, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button as AriaButton, GridList, GridListItem, useDragAndDrop } from 'react-aria-components'
import { failureOf } from '../../lib/failure.ts'
import { toastFailure } from '../../lib/toast-failure.ts'
import { trpc } from '../../lib/trpc.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { SkeletonBlocks } from '../../ui/skeleton.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.tsx'
import { useSettling } from '../../ui/use-settling.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { useLiveLibrary } from '../media/use-library.ts'
import { RetryAlert } from '../parts/retry-alert.tsx'
import { AddPictures } from './add-pictures.tsx'
import { FlashDialog } from './flash-dialog.tsx'
import { classes } from '../../ui/classes.ts'
import control from '../../ui/control.module.css'
import layout from '../../ui/layout.module.css'
import styles from './gallery-order.module.css'
import { moveTo } from './move-to.ts'

/** The gallery in the order visitors see it, with alternative texts. Each change is saved at once. */
export function GalleryOrder() {
  const utils = trpc.useUtils()
  const queryClient = useQueryClient()
  const [flashId, setFlashId] = useState<string | null>(null)
  const [moved, setMoved] = useState('')
  const gallery = trpc.website.gallery.useQuery()
  const media = trpc.media.list.useQuery()
  useLiveLibrary()
  const refreshGallery = async () => await utils.website.gallery.invalidate()
  const reorder = trpc.website.reorderGallery.useMutation({
    // One after the other, because the server may receive two requests in either order.
    scope: { id: 'gallery-order' },
    onMutate: async ({ ids }) => {
      await utils.website.gallery.cancel()
      const before = utils.website.gallery.getData()
      utils.website.gallery.setData(undefined, (all) => ids.flatMap((id) => all?.find((one) => one._id === id) ?? []))
      return before
    },
    onError: (error, _input, before) => {
      utils.website.gallery.setData(undefined, before)
      toastFailure(error, 'The new order could not be saved.')
    },
    // While another order waits, the screen shows that one.
    onSettled: async () => {
      if (queryClient.isMutating({ mutationKey: getMutationKey(trpc.website.reorderGallery) }) === 1)
        await refreshGallery()
    },
  })
  const describe = trpc.website.describeGalleryItem.useMutation({
    onSuccess: (all) => utils.website.gallery.setData(undefined, all),
    onError: async (error) => {
      toastFailure(error, 'The description could not be saved.')
      await refreshGallery()
    },
  })
  const remove = trpc.website.removeFromGallery.useMutation({
    onSuccess: () => toast.success(galleryMessages.removed(1)),
    onError: (error) => toastFailure(error, galleryMessages.removeFailed),
    onSettled: refreshGallery,
  })
  const entries = gallery.data ?? []
  const flashEntry = entries.find((entry) => entry._id === flashId)
  const ids = entries.map((entry) => entry._id)
  // A picture is dropped onto another one and takes its place, because the gaps of the grid are too narrow to hit.
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ 'text/plain': String(key), [dragType]: String(key) })),
    acceptedDragTypes: [dragType],
    onItemDrop: ({ items, target, isInternal }) => {
      if (!isInternal) return
      void Promise.all(items.map(async (item) => (item.kind === 'text' ? await item.getText(dragType) : ''))).then(
        ([id = '']) => reorder.mutate({ ids: moveTo(ids, id, ids.indexOf(String(target.key))) }),
      )
    },
  })
  const textOf = (entry: GalleryItem) => entry.altText || nameOf(media.data ?? [], entry._id)
  const move = (entry: GalleryItem, to: number) => {
    reorder.mutate({ ids: moveTo(ids, entry._id, to) })
    setMoved(`${textOf(entry)} is now ${to + 1} of ${ids.length}`)
  }

  const settling = useSettling(ids.join())

  const error = (!gallery.data && gallery.error) || (!media.data && media.error)
  if (error) {
    return (
      <RetryAlert
        live
        failure={failureOf(error, galleryMessages.loadFailed)}
        onRetry={() => void Promise.all([gallery.refetch(), media.refetch()])}
      />
    )
  }
  if (!gallery.data || !media.data) return <SkeletonBlocks frame={styles['ghost']} />
  if (entries.length === 0) {
    return (
      <EmptyState
        variant="bare"
        icon={<Images />}
        title={galleryMessages.emptyTitle}
        action={<AddPictures inGallery={ids} />}
      >
        <p>Pictures you add here, or under Media, are what visitors see first.</p>
      </EmptyState>
    )
  }
  return (
    <>
      <VisuallyHidden>
        <output>{moved}</output>
      </VisuallyHidden>
      <GridList
        aria-label="Gallery, in the order visitors see it"
        layout="grid"
        className={styles['grid'] ?? ''}
        data-settling={settling}
        items={entries.map((entry, index) => ({ ...entry, id: entry._id, index }))}
        dependencies={[media.data, ids.length]}
        dragAndDropHooks={dragAndDropHooks}
        keyboardNavigationBehavior="tab"
      >
        {(entry) => (
          <GridListItem id={entry.id} className={classes(layout['stack-1'], styles['tile'])} textValue={textOf(entry)}>
            <span className={styles['frame']}>
              <img
                className={styles['picture']}
                src={media.data.find((item) => item._id === entry._id)?.thumbnailUrl}
                alt=""
                draggable={false}
              />
              <AriaButton slot="drag" className={classes(control['icon'], styles['grip'])} aria-label="Move">
                <GripVertical />
              </AriaButton>
            </span>
            <span className={styles['actions']}>
              <IconButton label="Earlier" isDisabled={entry.index === 0} onPress={() => move(entry, entry.index - 1)}>
                <ArrowLeft />
              </IconButton>
              <IconButton
                label="Later"
                isDisabled={entry.index === entries.length - 1}
                onPress={() => move(entry, entry.index + 1)}
              >
                <ArrowRight />
              </IconButton>
              <IconButton label="Remove from the gallery" onPress={() => remove.mutate({ ids: [entry._id] })}>
                <Trash2 />
              </IconButton>
            </span>
            <AltText
              entry={entry}
              name={nameOf(media.data, entry._id)}
              onSave={async (altText) => await describe.mutateAsync({ id: entry._id, altText })}
            />
            <Button
              size="small"
              aria-label={flashLabel(entry, nameOf(media.data, entry._id))}
              onPress={() => setFlashId(entry._id)}
            >
              {entry.flash ? (entry.flash.isTaken ? 'Flash, taken' : 'Flash') : 'Mark as flash'}
            </Button>
          </GridListItem>
        )}
      </GridList>
      <div className={styles['add']}>
        <AddPictures inGallery={ids} />
      </div>
      {flashEntry && <FlashDialog entry={flashEntry} onClose={() => setFlashId(null)} />}
    </>
  )
}

/** A private MIME type, so that files and pictures of other pages cannot be dropped here. */
const dragType = 'application/x-flashsheet-gallery'

const nameOf = (media: readonly MediaItem[], id: string) => media.find((item) => item._id === id)?.fileName ?? 'Picture'

/** The accessible name begins with the visible text, so that voice control finds the button (WCAG 2.5.3). */
function flashLabel({ flash }: GalleryItem, name: string): string {
  if (!flash) return `Mark as flash: ${name}`
  return `${flash.isTaken ? 'Flash, taken' : 'Flash'}: ${flash.title}`
}

type AltTextProps = { entry: GalleryItem; name: string; onSave: (altText: string) => Promise<unknown> }

function AltText({ entry, name, onSave }: AltTextProps) {
  // Null: not edited since the last save. After a failed save the text stays, and is saved when the field is left again.
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <TextField
      label={`What ${name} shows`}
      isLabelHidden
      placeholder="What does it show?"
      value={typed ?? entry.altText}
      onChange={setTyped}
      onBlur={() => {
        if (typed === null || typed.length > galleryLimits.altText) return
        const finish = () => setTyped((now) => (now === typed ? null : now))
        if (typed.trim() === entry.altText) finish()
        else onSave(typed).then(finish, () => {})
      }}
      error={(typed?.length ?? 0) > galleryLimits.altText ? galleryMessages.altTextTooLong : undefined}
    />
  )
}
