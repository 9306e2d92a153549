import { Monitor, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import { PreviewFrame } from './preview-frame.tsx'
import layout from '../../ui/layout.module.css'
import styles from './site-preview.module.css'

const screens = { phone: { width: 390, height: 680 }, desktop: { width: 1280, height: 900 } } as const
type Screen = keyof typeof screens

/** The page as it would be served after a save, in the size of a phone or a desktop screen. */
export function SitePreview({ site }: { site: string }) {
  const [screen, setScreen] = useState<Screen>('phone')
  return (
    <section className={layout['stack-3']} aria-label="Preview">
      <ToggleButtonGroup
        aria-label="Preview on"
        className={styles['screens'] ?? ''}
        disallowEmptySelection
        selectedKeys={[screen]}
        onSelectionChange={(keys) => setScreen(keys.has('desktop') ? 'desktop' : 'phone')}
      >
        <ToggleButton id="phone" className={styles['screen'] ?? ''}>
          <Smartphone />
          Phone
        </ToggleButton>
        <ToggleButton id="desktop" className={styles['screen'] ?? ''}>
          <Monitor />
          Desktop
        </ToggleButton>
      </ToggleButtonGroup>
      <div className={styles[screen]}>
        <PreviewFrame site={site} screen={screens[screen]} debounceMs={400} />
      </div>
    </section>
  )
}
