import { ChevronsUpDown } from 'lucide-react'
import { useState } from 'react'
import { Button, ComboBox as AriaComboBox, Group, Input, ListBox, Popover } from 'react-aria-components'
import control from './control.module.css'
import { classes } from './classes.ts'
import styles from './combo-box.module.css'
import { OptionItem, type Option } from './option-item.tsx'
import { FieldFoot, FieldLabel, fieldProps, type FieldTexts } from './field.tsx'
import { useBackToClose } from './use-back-to-close.ts'

export type ComboBoxProps = FieldTexts & {
  name?: string
  /** The value of the chosen option; null: none. */
  value: string | null
  onChange: (value: string | null) => void
  options: readonly Option<string>[]
  /** The text in the field. With it, the caller filters `options` (a search on the server). */
  text?: string
  onTextChange?: (text: string) => void
  /** Accepts text that is no option. */
  free?: boolean
  /** Whether the text finds the option with this label; otherwise if the label contains it. */
  matches?: (label: string, text: string) => boolean
  emptyText?: string
  disabled?: boolean
}

/** A text field with filtered options. */
export function ComboBox({
  label,
  isLabelHidden,
  description,
  error,
  value,
  onChange,
  options,
  text,
  onTextChange,
  free = false,
  matches,
  emptyText = 'Nothing found',
  disabled,
  ...props
}: ComboBoxProps) {
  const items = options.map((option) => ({ ...option, id: option.value }))
  const filteredOutside = onTextChange !== undefined
  const [isOpen, setIsOpen] = useState(false)
  useBackToClose(isOpen)
  return (
    <AriaComboBox
      {...props}
      onOpenChange={setIsOpen}
      {...fieldProps({ error, disabled })}
      {...(filteredOutside ? { items, inputValue: text ?? '', onInputChange: onTextChange } : { defaultItems: items })}
      {...(matches && { defaultFilter: matches })}
      value={value}
      onChange={(key) => onChange(key === null ? null : String(key))}
      allowsCustomValue={free}
      allowsEmptyCollection={!free}
      menuTrigger="focus"
    >
      <FieldLabel label={label} isLabelHidden={isLabelHidden} />
      <Group className={control['with-button'] ?? ''}>
        <Input className={control['box'] ?? ''} />
        {/* With free text the list only opens while typing. */}
        {!free && (
          <Button className={classes(control['icon'], styles['arrow'])} aria-label="Show the list">
            <ChevronsUpDown />
          </Button>
        )}
      </Group>
      <FieldFoot description={description} error={error} />
      <Popover className={classes(control['list'], styles['popover'])} offset={4}>
        <ListBox<Option<string> & { id: string }>
          className={styles['list'] ?? ''}
          renderEmptyState={() => <p className={styles['empty']}>{emptyText}</p>}
        >
          {(option) => <OptionItem option={option} />}
        </ListBox>
      </Popover>
    </AriaComboBox>
  )
}
