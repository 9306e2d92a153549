import { Monitor, Smartphone } from 'lucide-react'
import { useEffect, useRef, useState, type CSSProperties } from 'react'
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import { classes } from '../../ui/classes.ts'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import styles from './site-preview.module.css'

/** Milliseconds without a change until the page is asked for again. */
const pause = 400
const previewPath = '/api/websitebuilder/preview'

const screens = { phone: { width: 390, height: 680 }, desktop: { width: 1280, height: 900 } } as const
type Screen = keyof typeof screens

/**
 * The page as it would be served after a save. Each version comes by a form into a frame of its own, so that it brings its own content
 * policy and leaves no trace in the browser's history; it takes the place of the one before when it has loaded.
 */
export function SitePreview({ site }: { site: string }) {
  const [screen, setScreen] = useState<Screen>('phone')
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
  }, [site])

  useEffect(() => {
    const element = stage.current
    if (!element) return undefined
    const observer = new ResizeObserver(([entry]) => setRoom(entry?.contentRect.width ?? 0))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  const { width, height } = screens[screen]
  const scale = room === 0 ? 1 : Math.min(1, room / width)
  const look = {
    '--width': `${width}px`,
    '--height': `${height}px`,
    '--scale': scale,
    '--shown': `${Math.round(height * scale)}px`,
  } as CSSProperties
  return (
    <section className={styles['preview']} aria-label="Preview">
      <ToggleButtonGroup
        aria-label="Preview on"
        className={styles['screens'] ?? ''}
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[screen]}
        onSelectionChange={(keys) => setScreen(keys.has('desktop') ? 'desktop' : 'phone')}
      >
        <ToggleButton id="phone" className={styles['screen'] ?? ''}>
          <Smartphone aria-hidden="true" />
          Phone
        </ToggleButton>
        <ToggleButton id="desktop" className={styles['screen'] ?? ''}>
          <Monitor aria-hidden="true" />
          Desktop
        </ToggleButton>
      </ToggleButtonGroup>
      <div className={classes(styles['stage'], styles[screen])} ref={stage} style={look}>
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
            onLoaded={() => {
              setThere(true)
              setVersions((all) => all.filter((one) => one.id >= version.id))
            }}
          />
        ))}
      </div>
    </section>
  )
}

function Frame({
  version,
  isShown,
  onLoaded,
}: {
  version: { id: number; site: string }
  isShown: boolean
  onLoaded: () => void
}) {
  const frame = useRef<HTMLIFrameElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const name = `site-preview-${version.id}`
  useEffect(() => form.current?.submit(), [])
  const loaded = () => {
    const page = frame.current?.contentDocument
    // The empty page a frame begins with, or a refusal: what is shown stays.
    if (!page || page.URL === 'about:blank' || page.contentType !== 'text/html') return
    const before = frame.current?.parentElement?.querySelector<HTMLIFrameElement>('iframe:not([inert])')
    const from = before?.contentDocument?.documentElement.scrollTop ?? 0
    page.documentElement.scrollTop = from
    page.addEventListener('click', stay)
    onLoaded()
  }
  return (
    <>
      <iframe
        ref={frame}
        name={name}
        title="Your website"
        className={classes(styles['frame'], !isShown && styles['coming'])}
        inert={!isShown}
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
