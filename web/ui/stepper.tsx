import { Check } from 'lucide-react'
import { classes } from './classes.ts'
import hiddenStyles from './visually-hidden.module.css'
import styles from './stepper.module.css'

export type StepperProps = {
  /** The accessible name of the list of steps. */
  label: string
  steps: readonly string[]
  /** The current step, from 1. */
  current: number
}

/** The steps of a wizard: numbered circles joined by lines. Not interactive. */
export function Stepper({ label, steps, current }: StepperProps) {
  return (
    <nav aria-label={label} className={styles['stepper']}>
      <ol className={styles['steps']}>
        {steps.map((step, at) => {
          const number = at + 1
          const done = number < current
          return (
            <li
              key={step}
              className={classes(styles['step'], done && styles['done'], number === current && styles['current'])}
              aria-current={number === current ? 'step' : undefined}
            >
              <span className={styles['circle']}>
                {done ? <Check /> : null}
                <span className={done ? hiddenStyles['hidden'] : undefined}>{number}</span>
              </span>
              <span className={styles['name']}>{step}</span>
              {done && <span className={hiddenStyles['hidden']}>, done</span>}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
