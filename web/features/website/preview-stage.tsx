import { useEffect, useId, useRef, useState, type CSSProperties } from 'react'
import { classes } from '../../ui/classes.ts'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import styles from './preview-stage.module.css'

const previewPath = '/api/websitebuilder/preview'

type Props = {
  /** The record as JSON. */
  site: string
  /** The screen that is shown, in pixels; it is scaled to the room there is. */
  screen: { width: number; height: number }
  /** Milliseconds without a change until the page is asked for again. */
  pause: number
  /** To be looked at only: it takes no focus and no press. */
  isPicture?: boolean
}

/**
 * The page as it would be served after a save. Each version comes by a form into a frame of its own, so that it brings its own content
 * policy and leaves no trace in the browser's history; it takes the place of the one before when it has loaded.
 */
export function PreviewStage({ site, screen, pause, isPicture = false }: Props) {
  const [versions, setVersions] = useState<{ id: number; site: string }[]>(() => [{ id: 0, site }])
  const [isThere, setThere] = useState(false)
  const stage = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState(0)

  useEffect(() => {
    const timer = setTimeout(() => {
      setVersions((all) => {
        const newest = all.at(-1)
        // One on screen, one on its way.
        return newest && newest.site !== site ? [...all.slice(0, 1), { id: newest.id + 1, site }] : all
      })
    }, pause)
    return () => clearTimeout(timer)
  }, [site, pause])

  useEffect(() => {
    const element = stage.current
    if (!element) return undefined
    const observer = new ResizeObserver(([entry]) => setRoom(entry?.contentRect.width ?? 0))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  const { width, height } = screen
  const scale = room === 0 ? 1 : room / width
  const look = {
    '--width': width,
    '--height': height,
    '--scale': scale,
  } as CSSProperties
  return (
    <div className={styles['stage']} ref={stage} style={look}>
      {!isThere && (
        <Loading label="Loading the preview">
          <span className={styles['ghost']}>
            <Skeleton shape="block" />
          </span>
        </Loading>
      )}
      {versions.map((version, index) => (
        <Frame
          key={version.id}
          version={version}
          isShown={index === 0}
          isPicture={isPicture}
          onLoaded={() => {
            setThere(true)
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
  const loaded = () => {
    const page = frame.current?.contentDocument
    // The empty page a frame begins with, or a refusal: what is shown stays.
    if (!page || page.URL === 'about:blank' || page.contentType !== 'text/html') return
    if (!isPicture) {
      const before = frame.current?.parentElement?.querySelector<HTMLIFrameElement>('iframe:not([inert])')
      page.documentElement.scrollTop = before?.contentDocument?.documentElement.scrollTop ?? 0
      page.addEventListener('click', stay)
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
        onLoad={loaded}
      />
      <form ref={form} method="post" action={previewPath} target={name} hidden>
        <input type="hidden" name="site" value={version.site} />
      </form>
    </>
  )
}

/** Links within the page move it; all others would lead the preview away from it. */
function stay(event: MouseEvent): void {
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
