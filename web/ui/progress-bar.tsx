import { Label, ProgressBar as AriaProgressBar } from 'react-aria-components'
import { classes } from './classes.ts'
import text from './text.module.css'
import styles from './progress-bar.module.css'
import tones from './tone.module.css'

export type ProgressBarProps = {
  label: string
  isLabelHidden?: boolean
  /** 0 to 100; null: indeterminate. */
  value: number | null
  /** Replaces the percentage: "12 days left". */
  valueLabel?: string
  tone?: 'ink' | 'posted' | 'failed'
}

export function ProgressBar({ label, isLabelHidden = false, value, valueLabel, tone = 'ink' }: ProgressBarProps) {
  return (
    <AriaProgressBar
      className={classes(styles['progress'], tones[tone])}
      isIndeterminate={value === null}
      value={value ?? 0}
      valueLabel={valueLabel}
      {...(isLabelHidden ? { 'aria-label': label } : {})}
    >
      {({ percentage, valueText, isIndeterminate }) => (
        <>
          {!isLabelHidden && (
            <div className={styles['head']}>
              <Label className={classes(text['one-line'], text['strong'])}>{label}</Label>
              {!isIndeterminate && <span className={styles['value']}>{valueText}</span>}
            </div>
          )}
          <svg className={styles['track']} aria-hidden="true" preserveAspectRatio="none" viewBox="0 0 100 1">
            <rect
              className={isIndeterminate ? styles['run'] : styles['fill']}
              width={isIndeterminate ? 35 : (percentage ?? 0)}
              height="1"
            />
          </svg>
        </>
      )}
    </AriaProgressBar>
  )
}
