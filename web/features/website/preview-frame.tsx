import { useEffect, useId, useRef, useState, type CSSProperties } from 'react'
import { createPortal } from 'react-dom'
import { classes } from '../../ui/classes.ts'
import { Loading, SkeletonBlocks } from '../../ui/skeleton.tsx'
import styles from './preview-frame.module.css'

const previewPath = '/api/websitebuilder/preview'

type Props = {
  /** The body of a save (`saveInput`), as JSON. */
  site: string
  /** The simulated viewport in pixels; scaled to the width that is available. */
  screen: { width: number; height: number }
  debounceMs: number
  /** Not interactive: takes neither focus nor presses. */
  isPicture?: boolean
}

/**
 * The page as it would be served after a save. Each version is posted by a form into a new iframe, so that the response has its own
 * content security policy and adds no entry to the browser's history. It replaces the previous version when it has loaded.
 */
export function PreviewFrame({ site, screen, debounceMs, isPicture = false }: Props) {
  const [versions, setVersions] = useState<{ id: number; site: string }[]>(() => [{ id: 0, site }])
  const [hasLoaded, setLoaded] = useState(false)
  const container = useRef<HTMLDivElement>(null)
  const [availableWidth, setAvailableWidth] = useState(0)

  useEffect(() => {
    const timer = setTimeout(() => {
      setVersions((all) => {
        const newest = all.at(-1)
        // Keep the visible version and load the newest one; drop a version that was still loading.
        return newest && newest.site !== site ? [...all.slice(0, 1), { id: newest.id + 1, site }] : all
      })
    }, debounceMs)
    return () => clearTimeout(timer)
  }, [site, debounceMs])

  useEffect(() => {
    const element = container.current
    if (!element) return undefined
    const observer = new ResizeObserver(([entry]) => setAvailableWidth(entry?.contentRect.width ?? 0))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  const { width, height } = screen
  const scale = availableWidth === 0 ? 1 : availableWidth / width
  const style = {
    '--width': width,
    '--height': height,
    '--scale': scale,
  } as CSSProperties
  return (
    <div className={styles['stage']} ref={container} style={style}>
      {!hasLoaded && (
        <Loading label="Loading the preview">
          <SkeletonBlocks frame={styles['ghost']} />
        </Loading>
      )}
      {versions.map((version, index) => (
        <Frame
          key={version.id}
          version={version}
          isShown={index === 0}
          isPicture={isPicture}
          onLoaded={() => {
            setLoaded(true)
            setVersions((all) => all.filter((one) => one.id >= version.id))
          }}
        />
      ))}
    </div>
  )
}

function Frame({
  version,
  isShown,
  isPicture,
  onLoaded,
}: {
  version: { id: number; site: string }
  isShown: boolean
  isPicture: boolean
  onLoaded: () => void
}) {
  const frame = useRef<HTMLIFrameElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const name = `site-preview${useId()}${version.id}`
  useEffect(() => form.current?.submit(), [])
  const handleLoad = () => {
    const page = frame.current?.contentDocument
    // An iframe also fires `load` for its initial empty page. After that, or after an error, the previous version stays visible.
    if (!page || page.URL === 'about:blank' || page.contentType !== 'text/html') return
    if (!isPicture) {
      const before = frame.current?.parentElement?.querySelector<HTMLIFrameElement>('iframe:not([inert])')
      page.documentElement.scrollTop = before?.contentDocument?.documentElement.scrollTop ?? 0
      page.addEventListener('click', keepLinksInside)
    }
    onLoaded()
  }
  return (
    <>
      <iframe
        ref={frame}
        name={name}
        title={isPicture ? 'A picture of your website' : 'Your website'}
        className={classes(styles['frame'], !isShown && styles['coming'])}
        inert={isPicture || !isShown}
        onLoad={handleLoad}
      />
      {/* Not within the form of the builder. */}
      {createPortal(
        <form ref={form} method="post" action={previewPath} target={name} hidden>
          <input type="hidden" name="site" value={version.site} />
        </form>,
        document.body,
      )}
    </>
  )
}

/** Links to a part of the page scroll to it; any other link would navigate away from the preview and is ignored. */
function keepLinksInside(event: MouseEvent): void {
  const link = event.target instanceof Node || event.target ? (event.target as Element).closest?.('a[href]') : null
  if (!link || link.closest('.sheet')) return
  event.preventDefault()
  const part = link.getAttribute('href')?.split('#')[1]
  const target = part
    ? link.ownerDocument.getElementById(part)
    : link.classList.contains('brand')
      ? link.ownerDocument.documentElement
      : null
  target?.scrollIntoView()
}
