import { type SiteSection, siteLimits, siteSections } from '@flashsheet/contracts/website/limits'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { IconButton } from '../../ui/icon-button.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { GuestSpotRows, QuestionRows, ServiceRows } from './section-rows.tsx'
import { sectionTexts } from './section-texts.ts'
import styles from './section-fields.module.css'
import type { SectionValues, SiteErrors } from './site-draft.ts'

type Props = { sections: SectionValues; errors: SiteErrors; onChange: (changes: Partial<SectionValues>) => void }

/** The sections of the home page: the shown ones in their order, then the others. */
export function SectionFields({ sections, errors, onChange: set }: Props) {
  const { shown } = sections
  const [moved, setMoved] = useState('')
  const move = (id: SiteSection, by: -1 | 1) => {
    const at = shown.indexOf(id)
    set({ shown: shown.with(at, shown[at + by] ?? id).with(at + by, id) })
    setMoved(`${sectionTexts[id].name} is now ${at + by + 1} of ${shown.length}`)
  }
  const others = siteSections.filter((id) => !shown.includes(id))
  const list = useRef<HTMLUListElement>(null)
  const order = shown.join()
  useEffect(() => {
    // A section that was moved or switched by keyboard takes the focus with it.
    const focused = list.current?.querySelector(':focus-visible')
    focused?.scrollIntoView({ block: 'nearest' })
  }, [order])
  return (
    <>
      <VisuallyHidden>
        <output>{moved}</output>
      </VisuallyHidden>
      <ul ref={list} className={styles['sections']}>
        {[...shown, ...others].map((id) => {
          const at = shown.indexOf(id)
          const { name, note } = sectionTexts[id]
          return (
            <li key={id} className={styles['section']}>
              <div className={styles['head']}>
                <Switch
                  on={at !== -1}
                  onChange={(on) => set({ shown: on ? [...shown, id] : shown.filter((one) => one !== id) })}
                  description={note}
                >
                  {name}
                </Switch>
                {at !== -1 && (
                  <span className={styles['moves']}>
                    <IconButton label={`${name} earlier`} isDisabled={at === 0} onPress={() => move(id, -1)}>
                      <ArrowUp />
                    </IconButton>
                    <IconButton
                      label={`${name} later`}
                      isDisabled={at === shown.length - 1}
                      onPress={() => move(id, 1)}
                    >
                      <ArrowDown />
                    </IconButton>
                  </span>
                )}
              </div>
              {at !== -1 && <SectionContent id={id} sections={sections} errors={errors} onChange={set} />}
            </li>
          )
        })}
      </ul>
    </>
  )
}

function SectionContent({ id, sections, errors, onChange: set }: Props & { id: SiteSection }) {
  switch (id) {
    case 'services':
      return <ServiceRows rows={sections.services} errors={errors} onChange={(services) => set({ services })} />
    case 'questions':
      return <QuestionRows rows={sections.questions} errors={errors} onChange={(questions) => set({ questions })} />
    case 'guestSpots':
      return <GuestSpotRows rows={sections.guestSpots} errors={errors} onChange={(guestSpots) => set({ guestSpots })} />
    case 'aftercare':
      return (
        <TextArea
          label="Aftercare"
          isLabelHidden
          rows={6}
          max={siteLimits.aftercare}
          value={sections.aftercare}
          error={errors['sections.aftercare']}
          onChange={(text) => set({ aftercare: text })}
        />
      )
    default:
      return null
  }
}
