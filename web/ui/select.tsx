import { Check, ChevronsUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, ListBox, ListBoxItem, Popover, Select as AriaSelect, SelectValue, Text } from 'react-aria-components'
import { FieldFoot, FieldLabel, fieldClass, type FieldTexts } from './field.tsx'
import control from './control.module.css'
import { classes } from './classes.ts'
import text from './text.module.css'
import styles from './select.module.css'

export type SelectOption<T extends string> = {
  value: T
  label: string
  description?: string
  icon?: ReactNode
  disabled?: boolean
}

export type SelectProps<T extends string> = FieldTexts & {
  name?: string
  /** Null: none selected. */
  value: T | null
  onChange: (value: T) => void
  options: readonly SelectOption<T>[]
  placeholder?: string
  disabled?: boolean
}

/** A drop-down list. */
export function Select<T extends string>({
  label,
  labelHidden,
  description,
  error,
  value,
  onChange,
  options,
  placeholder = 'Choose',
  disabled = false,
  ...props
}: SelectProps<T>) {
  return (
    <AriaSelect
      {...props}
      className={fieldClass}
      placeholder={placeholder}
      value={value}
      onChange={(key) => {
        const found = options.find((option) => option.value === key)
        if (found) onChange(found.value)
      }}
      isDisabled={disabled}
      isInvalid={error !== undefined}
      validationBehavior="aria"
      disabledKeys={options.filter((option) => option.disabled).map((option) => option.value)}
    >
      <FieldLabel label={label} labelHidden={labelHidden} />
      <Button className={classes(control['box'], styles['box'])}>
        <SelectValue className={styles['value'] ?? ''}>
          {({ selectedText, isPlaceholder, defaultChildren }) => (isPlaceholder ? defaultChildren : selectedText)}
        </SelectValue>
        <ChevronsUpDown aria-hidden="true" className={styles['arrow']} />
      </Button>
      <FieldFoot description={description} error={error} />
      <Popover className={classes(control['list'], styles['popover'])} offset={4}>
        <ListBox className={styles['list'] ?? ''} items={options.map((option) => ({ ...option, id: option.value }))}>
          {(option) => (
            <ListBoxItem className={control['item'] ?? ''} textValue={option.label}>
              {option.icon}
              <span className={styles['words']}>
                <Text slot="label">{option.label}</Text>
                {option.description && (
                  <Text slot="description" className={text['note'] ?? ''}>
                    {option.description}
                  </Text>
                )}
              </span>
              <Check aria-hidden="true" className={styles['tick']} />
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  )
}
