import { suggestedAvailability } from '@flashsheet/contracts/appointments/limits'
import { siteMessages } from '@flashsheet/contracts/website/messages'
import type { Site } from '@flashsheet/contracts/website/schema'
import { useNavigate } from '@tanstack/react-router'
import { ExternalLink, Share2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { failureOf } from '../../lib/failure.ts'
import { useFailure } from '../../lib/use-failure.ts'
import { useIsMounted } from '../../lib/use-is-mounted.ts'
import { useSessionUser } from '../../lib/session.ts'
import { trpc } from '../../lib/trpc.ts'
import { useScrollIntoView } from '../../lib/use-scroll-into-view.ts'
import { useSingleFlight } from '../../lib/use-single-flight.ts'
import { unsavedChangesNote } from '../../lib/stored-value.ts'
import { useMediaQuery } from '../../ui/use-media-query.ts'
import { FailureAlert } from '../../ui/alert.tsx'
import { ButtonAnchor } from '../../ui/button-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Switch } from '../../ui/switch.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { toast } from '../../ui/toast.tsx'
import { BookingHoursDialog } from '../appointments/booking-hours-dialog.tsx'
import { lazyOverlay } from '../parts/chunk-load-failed.tsx'
import { ScreenPending } from '../parts/screen-pending.tsx'
import { ChangedElsewhereAlert } from '../parts/changed-elsewhere.tsx'
import { changedElsewhereTexts } from '../parts/changed-elsewhere-texts.ts'
import { RetryAlert } from '../parts/retry-alert.tsx'
import { GalleryOrder } from './gallery-order.tsx'
import { ReadOnlySite } from './read-only-site.tsx'
import {
  fieldMessages,
  saveInput,
  sentValues,
  siteErrors,
  withoutEmptyRows,
  type SiteChanges,
  type SiteErrors,
} from './site-draft.ts'
import type { ShareSiteDialogProps } from './share-site-dialog.tsx'
import { SiteForm } from './site-form.tsx'
import { SitePreview } from './site-preview.tsx'
import { useImageUploads } from './use-image-uploads.ts'
import { useSiteDraft } from './use-site-draft.ts'
import layout from '../../ui/layout.module.css'
import text from '../../ui/text.module.css'
import { classes } from '../../ui/classes.ts'
import styles from './website-builder-screen.module.css'

/** Loaded on opening, because it includes the QR encoder. */
const ShareSiteDialog = lazyOverlay<ShareSiteDialogProps>(
  async () => (await import('./share-site-dialog.tsx')).ShareSiteDialog,
)

const formId = 'website'

/** /website-builder: the form and a live preview of the site. */
export function WebsiteBuilderScreen() {
  const user = useSessionUser()
  const site = trpc.website.site.useQuery()
  const domainName = site.data?.personalInfo.domainName ?? ''
  // The address is part of the header, so the screen waits for it, to avoid a layout shift.
  const address = trpc.website.checkDomainName.useQuery(
    { domainName },
    { enabled: domainName !== '', staleTime: 60_000 },
  )
  if (site.data && user && (domainName === '' || !address.isPending))
    return <Builder key={user._id} userId={user._id} site={site.data} address={address.data?.address} />
  if (!site.error) return <ScreenPending />
  const failure = failureOf(site.error, 'Your website could not be loaded.')
  if (failure.code === 'plan') return <ReadOnlySite message={failure.message} />
  return <RetryAlert live failure={failure} onRetry={() => void site.refetch()} pending={site.isFetching} />
}

/** `address`: the URL of the saved site, if known. */
function Builder({ userId, site, address }: { userId: string; site: Site; address: string | undefined }) {
  const utils = trpc.useUtils()
  const draft = useSiteDraft(userId, site)
  const [errors, setErrors] = useState<SiteErrors>({})
  const isMounted = useIsMounted()
  const { failure, show: showFailure, clear: clearFailure } = useFailure()
  const [view, setView] = useState<'edit' | 'preview'>('edit')
  const form = useRef<HTMLDivElement>(null)
  const isWide = useMediaQuery('(width >= 68.75em)')
  const gallery = trpc.website.gallery.useQuery()

  const change = (changes: SiteChanges) => {
    draft.change(changes)
    setErrors((before) =>
      Object.fromEntries(
        Object.entries(before).filter(
          ([field]) => !((field.replace('sections.', '').split('.')[0] ?? field) in changes),
        ),
      ),
    )
  }
  const images = useImageUploads((slot, image) => change({ [slot]: image }))

  const navigate = useNavigate()
  /** Reports a save that stopped after the screen was left. */
  const reportUnsaved = (message: string) =>
    toast.warning(message, siteMessages.draftKept, {
      label: 'Open Website Builder',
      onPress: () => void navigate({ to: '/website-builder' }),
    })
  const showErrors = (newErrors: SiteErrors) => {
    if (!isMounted()) return reportUnsaved(siteMessages.saveFailed)
    // The fields must be rendered as invalid before the first one can be found.
    flushSync(() => {
      setView('edit')
      setErrors(newErrors)
    })
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-problem]')?.focus()
  }
  const [shareDialog, setShareDialog] = useState<'closed' | 'new' | 'again'>('closed')
  const { domainName, published } = draft.saved
  const save = trpc.website.save.useMutation({
    onMutate: clearFailure,
    onSuccess: async (saved, sent) => {
      utils.website.site.setData(undefined, saved)
      draft.markSaved(sentValues(sent), saved)
      toast.success(siteMessages.saved)
      // Without a saved domain name this is the first time that the site is published.
      if (saved.published && domainName === '') setShareDialog('new')
      await utils.website.checkDomainName.invalidate()
    },
    onError: (error) => {
      const saveFailure = failureOf(error, siteMessages.saveFailed)
      const messages = fieldMessages(saveFailure.fields ?? {})
      if (Object.keys(messages).length > 0 && isMounted()) showErrors(messages)
      else showFailure(saveFailure)
    },
  })

  const send = useSingleFlight(save.mutateAsync)

  // Booking hours that were never set are open all day, every day, so they are asked for before the site becomes public.
  const hours = trpc.appointments.availability.useQuery(undefined, { staleTime: 60_000 })
  const [isAskingForHours, setIsAskingForHours] = useState(false)
  const [preparing, setPreparing] = useState<'Uploading...' | 'Saving...'>()
  /** What another device has saved in fields edited here, when a save last stopped for it. */
  const [warnedOf, setWarnedOf] = useState<string>()
  const alerts = useScrollIntoView(warnedOf)
  const submit = async () => {
    if (save.isPending || preparing) return
    clearFailure()
    setPreparing('Uploading...')
    const { failed, uploaded } = await images.waitForUploads()
    if (failed) {
      setPreparing(undefined)
      showErrors({})
      return
    }
    // Empty rows are not saved. They are removed from the form too, so that errors of rows have its indices.
    draft.change(withoutEmptyRows(draft.latest()))
    setPreparing('Saving...')
    // A save contains every field: those not edited here must be as another device has saved them by now.
    const read = utils.website.site.fetch(undefined, { staleTime: 0 })
    const current = await read.catch((error: unknown) => showFailure(failureOf(error, siteMessages.saveFailed)))
    setPreparing(undefined)
    if (!current) return
    const elsewhere = JSON.stringify(draft.latestElsewhere(current))
    if (elsewhere !== '{}' && elsewhere !== warnedOf) {
      if (isMounted()) setWarnedOf(elsewhere)
      else reportUnsaved(changedElsewhereTexts.notSaved)
      return
    }
    const values = { ...draft.latest(current), ...uploaded }
    const invalid = siteErrors(values)
    if (Object.keys(invalid).length > 0) showErrors(invalid)
    else if (values.published && domainName === '' && hours.data?.isSet === false) {
      if (isMounted()) setIsAskingForHours(true)
      else reportUnsaved(siteMessages.hoursMissing)
    } else send(saveInput(values))
  }

  const isLive = site.published && domainName !== ''
  const previewBody = JSON.stringify({ ...saveInput(draft.values), gallery: gallery.data })

  const fields = (
    <div ref={form} className={layout['stack-5']}>
      <form
        id={formId}
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
        aria-label="Website"
        noValidate
        className={layout['stack-5']}
      >
        <SiteForm values={draft.values} saved={draft.saved} errors={errors} onChange={change} images={images} />
      </form>
      <Card title="Gallery" note="Drag pictures into order, or use the arrows. Saved as you go.">
        <GalleryOrder />
      </Card>
    </div>
  )
  const preview = <SitePreview site={previewBody} />
  return (
    <div className={layout['stack-5']}>
      <div className={styles['head']}>
        <div className={styles['where']}>
          <p className={text['strong']}>
            {isLive ? 'Your website is public' : domainName === '' ? 'Not published yet' : 'Hidden from visitors'}
          </p>
          {isLive && address && (
            <ButtonAnchor href={address} target="_blank" rel="noreferrer" size="small" icon={<ExternalLink />}>
              {address.replace(/^https?:\/\//, '')}
            </ButtonAnchor>
          )}
          {isLive && address && (
            <Button
              size="small"
              icon={<Share2 />}
              onHoverStart={ShareSiteDialog.preload}
              onPress={() => setShareDialog('again')}
            >
              Share
            </Button>
          )}
        </div>
        <Switch
          on={draft.values.published}
          onChange={(on) => (domainName === '' ? change({ published: on }) : send({ published: on }))}
          disabled={save.isPending}
        >
          {domainName === '' ? 'Publish when saved' : 'Public'}
        </Switch>
      </div>
      {failure && <FailureAlert failure={failure} />}
      <div ref={alerts}>{draft.isChangedElsewhere && <ChangedElsewhereAlert onShow={draft.showOthers} />}</div>
      {isWide ? (
        <div className={styles['sides']}>
          {fields}
          <div className={styles['beside']}>{preview}</div>
        </div>
      ) : (
        <Tabs
          label="Edit or preview"
          selected={view}
          onSelect={setView}
          items={[
            { id: 'edit', label: 'Edit', content: fields },
            { id: 'preview', label: 'Preview', content: preview },
          ]}
        />
      )}
      {shareDialog !== 'closed' && address && (
        <ShareSiteDialog
          open
          isNew={shareDialog === 'new'}
          address={address}
          name={draft.saved.name}
          onClose={() => setShareDialog('closed')}
        />
      )}
      {hours.data && (!hours.data.isSet || isAskingForHours) && (
        <BookingHoursDialog
          stored={hours.data}
          suggested={suggestedAvailability}
          open={isAskingForHours}
          onClose={() => setIsAskingForHours(false)}
          onFirstSaved={() => send(saveInput(draft.latest()))}
        />
      )}
      <div className={styles['save']}>
        <span className={classes(text['note'], styles['note'])} aria-live="polite">
          {draft.hasUnsavedChanges ? unsavedChangesNote : published && domainName !== '' ? 'Everything is saved' : ''}
        </span>
        <div className={styles['buttons']}>
          {draft.hasUnsavedChanges && (
            <Button
              variant="quiet"
              onPress={() => {
                images.discardAll()
                draft.discard()
                setErrors({})
              }}
              isDisabled={save.isPending}
            >
              Discard
            </Button>
          )}
          <Button
            // Behind the tab of the preview there is no form.
            {...(isWide || view === 'edit' ? { type: 'submit', form: formId } : { onPress: () => void submit() })}
            variant="primary"
            pending={save.isPending || preparing !== undefined}
            pendingLabel={preparing ?? 'Saving...'}
          >
            Save
          </Button>
        </div>
      </div>
    </div>
  )
}
