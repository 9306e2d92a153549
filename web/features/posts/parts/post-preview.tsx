import { networks, platformNames, type Platform } from '@flashsheet/contracts/networks'
import { networkTexts } from '@flashsheet/contracts/posts/rules'
import { useState, type CSSProperties } from 'react'
import { Alert } from '../../../ui/alert.tsx'
import { classes } from '../../../ui/classes.ts'
import { Select } from '../../../ui/select.tsx'
import { HandleText } from '../../social/page-handle.tsx'
import { NetworkIcon } from '../../social/network-icon.tsx'
import { PagePicture } from '../../social/page-picture.tsx'
import { usePageProfile } from '../../social/use-page-profile.ts'
import { captionOf, pageKey, type Draft, type SelectedPage } from '../draft/draft.ts'
import { frameFor, framingOf, type Framing } from '../draft/framing.ts'
import { FramedPicture } from './framed-picture.tsx'
import text from '../../../ui/text.module.css'
import layout from '../../../ui/layout.module.css'
import styles from './post-preview.module.css'
import { croppedText, foldedText, frameRatio, sentText } from './preview-rules.ts'
import type { MediaPreview } from './media-preview.ts'
import { SafeZones } from './safe-zones.tsx'
import { useSentMedia, type SentMedia } from './use-sent-media.ts'

const note = classes(text['numerals-muted'], styles['note'])

export type PostPreviewProps = {
  draft: Draft
  previews: ReadonlyMap<string, MediaPreview>
  /** Changes the crop; absent: read-only. */
  onFrame?: (id: string, patch: Partial<Framing>) => void
}

/** The post as its network will show it. */
export function PostPreview({ draft, previews, onFrame }: PostPreviewProps) {
  const [chosen, setChosen] = useState<string | null>(null)
  const page = draft.pages.find((one) => pageKey(one) === chosen) ?? draft.pages[0]
  if (!page) return null
  return (
    <section className={classes(layout['stack-3'], styles['preview'])} aria-labelledby="preview-title">
      <h3 id="preview-title" className={text['lead']}>
        Preview
      </h3>
      {draft.pages.length > 1 && (
        <Select
          label="Preview of"
          isLabelHidden
          value={pageKey(page)}
          onChange={setChosen}
          options={draft.pages.map((one) => ({
            value: pageKey(one),
            label: `${one.name}, ${platformNames[one.platform]}`,
            icon: <NetworkIcon platform={one.platform} />,
          }))}
        />
      )}
      <PreviewCard key={pageKey(page)} page={page} draft={draft} previews={previews} onFrame={onFrame} />
    </section>
  )
}

function PreviewCard({ page, draft, previews, onFrame }: PostPreviewProps & { page: SelectedPage }) {
  const { platform } = page
  const isVideo = draft.media.some((item) => item.type === 'video')
  const own = captionOf(draft, page)
  const { title, text: caption } = networkTexts(platform, { title: own.title, message: own.caption }, isVideo)
  const { textFirst } = networks[platform].preview
  const words = <PreviewText page={page} title={title} caption={caption} />
  const sent = useSentMedia(draft.media, platform)
  const { picture, handle } = usePageProfile(page)
  return (
    <>
      <article
        className={classes(layout['sheet'], styles['paper'])}
        aria-label={`${page.name} on ${platformNames[platform]}`}
      >
        <header className={styles['head']}>
          <PagePicture platform={platform} name={page.name} picture={picture} />
          <span className={classes(layout['words'], styles['who'])}>
            <span className={classes(text['one-line'], text['strong'])}>{page.name}</span>
            {handle && (
              <span className={classes(text['one-line'], styles['handle'])}>
                <HandleText handle={handle} />
              </span>
            )}
          </span>
        </header>
        {textFirst && words}
        <PreviewMedia page={page} draft={draft} previews={previews} sent={sent} onFrame={onFrame} />
        {!textFirst && words}
      </article>
      <SentNote draft={draft} platform={platform} sent={sent} />
      {isVideo && networks[platform].preview.coversVideo && (
        <p className={note}>Shaded: about where {platformNames[platform]} puts its buttons and text.</p>
      )}
    </>
  )
}

function PreviewText({ page, title, caption }: { page: SelectedPage; title: string; caption: string }) {
  const [isExpanded, setIsExpanded] = useState(false)
  const { shown, more } = foldedText(page.platform, caption)
  if (!title && !caption.trim()) return <p className={classes(text['note'], styles['empty'])}>No caption</p>
  return (
    <div className={styles['words']}>
      {title && (
        <p className={styles['title']} dir="auto">
          {title}
        </p>
      )}
      {(caption.trim() || isExpanded) && (
        <p className={styles['text']} dir="auto">
          {isExpanded ? caption.trim() : shown}
          {more && (
            <>
              {!isExpanded && shown && '… '}
              <button type="button" className={styles['more']} onClick={() => setIsExpanded(!isExpanded)}>
                {isExpanded ? ' less' : shown ? 'more' : 'Show the description'}
              </button>
            </>
          )}
        </p>
      )}
    </div>
  )
}

function PreviewMedia({
  page,
  draft,
  previews,
  sent,
  onFrame,
}: PostPreviewProps & { page: SelectedPage; sent: SentMedia }) {
  const { handle } = usePageProfile(page)
  const [lead] = draft.media
  const firstSent = sent.media?.[0]
  // The media that the server made for this network can have another ratio than the original.
  const ratio = frameRatio(
    page.platform,
    lead && firstSent ? { type: lead.type, dimensions: { width: firstSent.width, height: firstSent.height } } : lead,
  )
  const frame: CSSProperties & Record<`--${string}`, string> = { '--ratio': String(ratio) }
  const hasSeveral = draft.media.length > 1
  const isFilled = lead?.type === 'image' && networks[page.platform].media.images?.ratio !== undefined
  return (
    <ul
      className={classes(styles['frames'], isFilled && styles['filled'])}
      style={frame}
      // A scrollable strip must be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={hasSeveral ? 0 : undefined}
      aria-label="Media"
    >
      {draft.media.map((item, at) => {
        const preview = previews.get(item._id)
        const src = sent.media?.[at]?.url ?? preview?.src
        const cropRatio = frameFor(draft.media, item, page.platform)
        const framing = framingOf(draft, item._id)
        const { dimensions } = item
        // The browser draws the crop, so that it can be moved. An uncropped picture is shown as the server made it.
        const croppedSrc = framing.isCropped ? (preview?.src ?? src) : src
        return (
          <li key={item._id} className={styles['frame']}>
            {item.type === 'video' ? (
              <video
                src={src ?? undefined}
                poster={preview?.poster ?? undefined}
                controls
                playsInline
                muted
                preload="metadata"
                aria-label={item.name}
              />
            ) : cropRatio !== undefined && dimensions && croppedSrc ? (
              <FramedPicture
                src={croppedSrc}
                name={item.name}
                pictureRatio={dimensions.width / dimensions.height}
                ratio={cropRatio}
                framing={framing}
                onFrame={onFrame && ((patch) => onFrame(item._id, patch))}
              />
            ) : (
              src && <img src={src} alt={item.name} decoding="async" />
            )}
            {item.type === 'video' && networks[page.platform].preview.coversVideo && (
              <SafeZones
                platform={page.platform}
                page={handle ?? page.name}
                words={foldedText(page.platform, captionOf(draft, page).caption).shown}
              />
            )}
            {hasSeveral && (
              <span className={styles['count']}>
                {at + 1}/{draft.media.length}
              </span>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** The format of the sent media, or why it is not ready. */
function SentNote({ draft, platform, sent }: { draft: Draft; platform: Platform; sent: SentMedia }) {
  const name = platformNames[platform]
  if (sent.refusal !== null) {
    return (
      <div className={note}>
        <Alert tone="danger" live title={`${name} cannot be sent this.`}>
          {sent.refusal}
        </Alert>
      </div>
    )
  }
  const [lead] = draft.media
  const ratio = lead && frameFor(draft.media, lead, platform)
  if (ratio !== undefined && lead && framingOf(draft, lead._id).isCropped)
    return <p className={note}>{croppedText(platform, ratio)}</p>
  if (sent.state === 'failed') {
    return (
      <p className={note}>
        The preview for {name} could not be loaded.{' '}
        <button type="button" className={styles['more']} onClick={sent.retry}>
          Try again
        </button>
      </p>
    )
  }
  return (
    <p className={note}>
      {sent.media
        ? sentText(platform, sent.media)
        : sent.state === 'uploading'
          ? 'Shown as picked. What will be sent shows once the file is uploaded.'
          : `Preparing the preview for ${name}…`}
    </p>
  )
}
