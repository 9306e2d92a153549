import { Check, ChevronsUpDown } from 'lucide-react'
import { useState } from 'react'
import { Button, ListBox, Popover, Select as AriaSelect, SelectValue } from 'react-aria-components'
import { FieldFoot, FieldLabel, fieldProps, type FieldTexts } from './field.tsx'
import control from './control.module.css'
import { classes } from './classes.ts'
import { OptionItem, type Option } from './option-item.tsx'
import text from './text.module.css'
import styles from './select.module.css'
import { useBackToClose } from './use-back-to-close.ts'

export type SelectProps<T extends string> = FieldTexts & {
  name?: string
  /** Null: none selected. */
  value: T | null
  onChange: (value: T) => void
  options: readonly Option<T>[]
  placeholder?: string
  disabled?: boolean
}

/** A drop-down list. */
export function Select<T extends string>({
  label,
  isLabelHidden,
  description,
  error,
  value,
  onChange,
  options,
  placeholder = 'Choose',
  disabled,
  ...props
}: SelectProps<T>) {
  const [isOpen, setIsOpen] = useState(false)
  useBackToClose(isOpen)
  return (
    <AriaSelect
      {...props}
      onOpenChange={setIsOpen}
      {...fieldProps({ error, disabled })}
      placeholder={placeholder}
      value={value}
      onChange={(key) => {
        const found = options.find((option) => option.value === key)
        if (found) onChange(found.value)
      }}
      disabledKeys={options.filter((option) => option.disabled).map((option) => option.value)}
    >
      <FieldLabel label={label} isLabelHidden={isLabelHidden} />
      <Button className={classes(control['box'], styles['box'])}>
        <SelectValue className={classes(text['one-line'], styles['value'])}>
          {({ selectedText, isPlaceholder, defaultChildren }) => (isPlaceholder ? defaultChildren : selectedText)}
        </SelectValue>
        <ChevronsUpDown className={styles['arrow']} />
      </Button>
      <FieldFoot description={description} error={error} />
      <Popover className={classes(control['list'], styles['popover'])} offset={4}>
        <ListBox className={styles['list'] ?? ''} items={options.map((option) => ({ ...option, id: option.value }))}>
          {(option) => (
            <OptionItem option={option}>
              <Check className={styles['tick']} />
            </OptionItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  )
}
