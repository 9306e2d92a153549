import type { ReactNode } from 'react'
import { RadioButton, RadioField, RadioGroup as AriaRadioGroup, Text } from 'react-aria-components'
import { classes } from './classes.ts'
import { FieldFoot, FieldLabel, fieldProps, type FieldTexts } from './field.tsx'
import text from './text.module.css'
import layout from './layout.module.css'
import control from './control.module.css'
import styles from './radio-group.module.css'

type RadioOption<T extends string> = {
  value: T
  label: ReactNode
  description?: ReactNode
  icon?: ReactNode
  disabled?: boolean
}

export type RadioGroupProps<T extends string> = FieldTexts & {
  /** Null: none selected. */
  value: T | null
  onChange: (value: T) => void
  options: readonly RadioOption<T>[]
  /** `cards`: a box for each option, side by side where there is room. */
  variant?: 'list' | 'cards'
}

/** A choice among a few visible options. */
export function RadioGroup<T extends string>({
  label,
  isLabelHidden,
  description,
  error,
  value,
  onChange,
  options,
  variant = 'list',
  ...props
}: RadioGroupProps<T>) {
  return (
    <AriaRadioGroup
      {...props}
      {...fieldProps({ error })}
      value={value}
      onChange={(next) => {
        const found = options.find((option) => option.value === next)
        if (found) onChange(found.value)
      }}
    >
      <FieldLabel label={label} isLabelHidden={isLabelHidden} />
      <div className={variant === 'cards' ? styles['cards'] : styles['list']}>
        {options.map((option) => (
          <RadioField
            key={option.value}
            value={option.value}
            isDisabled={option.disabled ?? false}
            className={layout['words'] ?? ''}
          >
            <RadioButton className={classes(control['choice'], variant === 'cards' && control['card'])}>
              {option.icon ? (
                <span className={styles['icon']} aria-hidden="true">
                  {option.icon}
                </span>
              ) : (
                <span className={styles['dot']} aria-hidden="true" />
              )}
              <span className={layout['words']}>
                <span className={styles['name']}>{option.label}</span>
                {option.description && (
                  <Text slot="description" className={text['note'] ?? ''}>
                    {option.description}
                  </Text>
                )}
              </span>
            </RadioButton>
          </RadioField>
        ))}
      </div>
      <FieldFoot description={description} error={error} />
    </AriaRadioGroup>
  )
}
