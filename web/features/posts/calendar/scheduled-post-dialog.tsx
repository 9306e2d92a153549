import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { Post, UpdatePostInput } from '@flashsheet/contracts/posts/schema'
import type { PostStatus } from '@flashsheet/contracts/posts/limits'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { failureOf } from '../../../lib/failure.ts'
import { useUnsentText } from '../../../lib/session-end.ts'
import { showFailureToast } from '../../../lib/toast-failure.ts'
import { trpc } from '../../../lib/trpc.ts'
import { useIsMounted } from '../../../lib/use-is-mounted.ts'
import { useNow } from '../../../lib/use-now.ts'
import { useScrollIntoView } from '../../../lib/use-scroll-into-view.ts'
import { useSingleFlight } from '../../../lib/use-single-flight.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Skeleton, SkeletonBlocks } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { entryOrCalendar } from '../../calendar/calendar-focus.ts'
import type { CalendarEntry } from './calendar-entries.ts'
import { applyPostsChange } from './calendar-posts.ts'
import { PostActionBar } from './post-action-bar.tsx'
import { ScheduledDetails } from './scheduled-details.tsx'
import { ScheduledEditForm } from './scheduled-edit-form.tsx'
import {
  beginEdit,
  changesOf,
  editRequest,
  fieldsOf,
  isEditable,
  isEdited,
  isTooLong,
  isPublishing,
  restoreChanges,
  storedChanges,
  timeProblem,
  withChanges,
  withoutFields,
  type PostChanges,
} from './scheduled-edit.ts'
import { classes } from '../../../ui/classes.ts'
import layout from '../../../ui/layout.module.css'
import styles from './scheduled-post-dialog.module.css'
import { usePostActions } from './use-post-actions.ts'
import { useUpdatePost } from './use-update-post.ts'
import { ChangedElsewhereAlert, useChangedElsewhere } from '../../parts/changed-elsewhere.tsx'
import { PendingQuery } from '../../parts/pending-query.tsx'
import { useZones } from '../parts/use-zones.ts'

const titles: Record<Post['status'], string> = {
  scheduled: 'Reschedule Post',
  posted: 'Posted Details',
  failed: 'Failed Post Details',
}

const publishingText = 'This post is already on its way, so it can no longer be changed.'
const partlyPostedText = 'Some of its pages have this post already, so it can no longer be changed.'

export type ScheduledPostDialogProps = {
  /** The status is missing if the post is opened by its URL. */
  entry: Pick<CalendarEntry, 'id'> & { status?: PostStatus }
  open: boolean
  onClose: () => void
}

export function ScheduledPostDialog({ entry, open, onClose }: ScheduledPostDialogProps) {
  const postId = entry.id
  const zones = useZones()
  const utils = trpc.useUtils()
  const queryClient = useQueryClient()
  const query = trpc.posts.get.useQuery({ postId })
  const post = query.data
  const [changed, setChanged] = useState<PostChanges>()
  const form = `post ${postId}`
  const unsaved = open && changed && isEdited(changed) ? changed : undefined
  useUnsentText(form, unsaved && storedChanges(unsaved), (kept) => setChanged(restoreChanges(kept)))
  const elsewhere = useChangedElsewhere(form, fieldsOf(unsaved ?? {}), post ? fieldsOf(beginEdit(post)) : {})
  const [isSubmitted, setIsSubmitted] = useState(false)
  const [timeRefusal, setTimeRefusal] = useState<string>()
  const [isRefused, setIsRefused] = useState(false)
  const now = useNow()
  const postActions = usePostActions(postId, onClose)
  // With captions that were edited, also if their save was refused: only a duplicate can still be posted with them.
  const actions = { ...postActions, duplicate: () => post && postActions.duplicate(post, changed?.words) }

  const isMounted = useIsMounted()
  const update = useMutation({
    mutationFn: useUpdatePost(),
    onSuccess: (saved) => {
      applyPostsChange(queryClient, utils, { posts: [saved], gone: [] })
      setChanged(undefined)
    },
    onError: async (error) => {
      const failure = failureOf(error, postMessages.rescheduleFailed)
      if (failure.code === 'conflict') {
        if (!isMounted()) showFailureToast(failure)
        setIsRefused(true)
        const current = await utils.posts.get.fetch({ postId }, { staleTime: 0 }).catch(() => undefined)
        if (current) applyPostsChange(queryClient, utils, { posts: [current], gone: [] })
        return
      }
      if (failure.code === 'notFound') {
        applyPostsChange(queryClient, utils, { posts: [], gone: [postId] })
        if (!isMounted()) toast.error(postMessages.gone)
        await utils.posts.get.invalidate({ postId })
        return
      }
      const atTime = failure.fields?.['scheduledAt']
      if (atTime !== undefined && isMounted()) setTimeRefusal(atTime)
      else showFailureToast(failure)
    },
  })

  const { isSaving } = elsewhere
  const status = post?.status ?? entry.status
  const edit = post && withChanges(post, changed ?? {})
  const isGone = query.error !== null && failureOf(query.error, '').code === 'notFound'
  const goneAlert = useScrollIntoView(isGone)
  const isFormShown = post !== undefined && edit !== undefined && isEditable(post) && !isRefused
  // The buttons are shown before the post is loaded, so that nothing moves then.
  const isFormLoading = post === undefined && !query.isError && entry.status === 'scheduled'
  /** Calls `onSaved` also after the screen was left, unlike the options of `mutate`. */
  const saveThen = useSingleFlight(async (request: UpdatePostInput, onSaved: () => void) =>
    elsewhere.saveAfter(utils.posts.get.fetch({ postId }, { staleTime: 0 }), async (now) => {
      if (!now || !elsewhere.stopsFor(fieldsOf(beginEdit(now)))) await update.mutateAsync(request).then(onSaved)
    }),
  )
  const save = () => {
    if (!post || !edit) return
    setIsSubmitted(true)
    setTimeRefusal(undefined)
    if (timeProblem(post, edit, Date.now()) !== undefined || isTooLong(edit)) return
    saveThen(editRequest(post, edit), () => {
      toast.success(postMessages.rescheduled)
      onClose()
    })
  }
  /** Saves edited captions first, so that they are what is published. */
  const publishNow = () => {
    if (!post || !unsaved) return actions.publishNow()
    const captions = withChanges(post, { words: unsaved.words ?? {} })
    if (!isTooLong(captions)) saveThen(editRequest(post, captions), actions.publishNow)
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={status ? titles[status] : 'Post Details'}
      steady
      unsaved={unsaved !== undefined}
      busy={isSaving || actions.pending !== null}
      focusAfter={() => entryOrCalendar(postId)}
      actions={
        (isFormShown && !isGone) || isFormLoading ? (
          <>
            <Button onPress={onClose} isDisabled={isSaving}>
              Cancel
            </Button>
            <Button
              variant="primary"
              onPress={save}
              isDisabled={isFormLoading}
              pending={isSaving}
              pendingLabel="Saving..."
            >
              Save changes
            </Button>
          </>
        ) : (
          <Button onPress={onClose}>Close</Button>
        )
      }
    >
      {/* What was written stays open, because it is nowhere else. */}
      {isGone && (
        <div ref={goneAlert} className={styles['notice']}>
          <Alert tone="danger" live title={postMessages.gone} />
        </div>
      )}
      {isFormShown && !isSaving && elsewhere.fields.length > 0 && (
        <div className={styles['notice']}>
          <ChangedElsewhereAlert
            isStopped={elsewhere.isStopped}
            onShow={() => setChanged((now) => withoutFields(now ?? {}, elsewhere.fields))}
          />
        </div>
      )}
      {isFormShown && (
        <PostActionBar
          post={post}
          isGone={isGone}
          actions={{
            ...actions,
            publishNow,
            pending: isSaving ? 'save' : actions.pending,
          }}
          place="above"
        />
      )}
      {isFormShown ? (
        <ScheduledEditForm
          post={post}
          edit={edit}
          onEdit={(next) => {
            setChanged(changesOf(post, next))
            setTimeRefusal(undefined)
          }}
          timeError={timeRefusal ?? (isSubmitted ? timeProblem(post, edit, now) : undefined)}
          zones={zones}
        />
      ) : post ? (
        <>
          {(isRefused || post.status === 'scheduled') && (
            <div className={styles['notice']}>
              <Alert tone="warning" live>
                {isRefused || post.variants.some(isPublishing) ? publishingText : partlyPostedText}
              </Alert>
            </div>
          )}
          <ScheduledDetails post={post} zones={zones} actions={actions} />
        </>
      ) : isGone ? null : (
        <PendingQuery query={query} label="Loading post" failed="This post could not be loaded">
          <div className={classes(layout['stack-4'], styles['ghost'])}>
            <SkeletonBlocks frame={styles['picture']} />
            <Skeleton shape="block" />
            <Skeleton width="half" />
            <Skeleton shape="block" />
          </div>
        </PendingQuery>
      )}
      {!isFormShown && post && <PostActionBar post={post} isGone={isGone} actions={actions} place="below" />}
    </Dialog>
  )
}
