import { ArrowLeft, ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import { BottomBar } from '../../../ui/bottom-bar.tsx'
import { Button } from '../../../ui/button.tsx'
import styles from './step-bar.module.css'

/** The button row of a step. `note`: why Next is disabled. */
export function StepBar({ back, note, children }: { back?: ReactNode; note?: ReactNode; children: ReactNode }) {
  return (
    <BottomBar start={back} note={note} noteId="step-note">
      {children}
    </BottomBar>
  )
}

/** With a large font only an arrow. `compact`: on every phone, where the row has three buttons. */
export function BackButton({
  onPress,
  disabled = false,
  compact = false,
}: {
  onPress: () => void
  disabled?: boolean
  compact?: boolean
}) {
  return (
    <Button variant="quiet" icon={<ArrowLeft />} onPress={onPress} isDisabled={disabled}>
      <span className={styles[compact ? 'wide-word' : 'word']}>Back</span>
    </Button>
  )
}

/** Back and Next; `disabledReason` disables Next and is shown ('' where the screen shows it). `field`: the id of the missing field. */
export function StepNavigationBar({
  back,
  onNext,
  disabledReason,
  field = null,
}: {
  back?: ReactNode
  onNext: () => void
  disabledReason: string | null
  field?: string | null
}) {
  return (
    <StepBar
      back={back}
      note={
        disabledReason && field !== null ? (
          <AriaButton className={styles['why'] ?? ''} onPress={() => focusField(field)}>
            {disabledReason}
          </AriaButton>
        ) : (
          disabledReason
        )
      }
    >
      <Button variant="primary" onPress={onNext} isDisabled={disabledReason !== null} aria-describedby="step-note">
        Next
        <ArrowRight />
      </Button>
    </StepBar>
  )
}

/** Scrolls to the first control in an element and focuses it. */
export function focusField(id: string): void {
  const control = document.getElementById(id)?.querySelector<HTMLElement>('button:not(:disabled), input:not(:disabled)')
  control?.focus({ preventScroll: true })
  control?.scrollIntoView({ block: 'center' })
}
