import { Film, Image, Images } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import type { MediaMode } from '../draft/draft.ts'
import control from '../../../ui/control.module.css'
import text from '../../../ui/text.module.css'
import { classes } from '../../../ui/classes.ts'
import styles from './media-mode-cards.module.css'

const cards: readonly { mode: MediaMode; label: string; note: string; icon: ReactNode }[] = [
  { mode: 'video', label: 'Video', note: 'MP4 or MOV, up to 3 minutes', icon: <Film /> },
  { mode: 'single-image', label: 'Single Image', note: 'JPG or PNG', icon: <Image /> },
  { mode: 'multiple-images', label: 'Multiple Images', note: 'Up to 10, in your order', icon: <Images /> },
]

/** The three kinds of a post. Pressing one chooses it and opens the file picker or the camera roll. */
export function MediaModeCards({ mode, onChoose }: { mode: MediaMode | null; onChoose: (mode: MediaMode) => void }) {
  return (
    <fieldset aria-label="Media type" className={styles['cards']}>
      {cards.map((card) => (
        <AriaButton
          key={card.mode}
          aria-pressed={mode === card.mode}
          onPress={() => onChoose(card.mode)}
          className={classes(control['card'], styles['card'])}
        >
          <span className={styles['icon']} aria-hidden="true">
            {card.icon}
          </span>
          <span className={text['strong']}>{card.label}</span>
          <span className={classes(text['note'], styles['note'])}>{card.note}</span>
        </AriaButton>
      ))}
    </fieldset>
  )
}
