import type { ReactNode } from 'react'
import { ListBoxItem, Text } from 'react-aria-components'
import control from './control.module.css'
import layout from './layout.module.css'
import { classes } from './classes.ts'
import text from './text.module.css'

export type Option<T extends string> = {
  value: T
  label: string
  description?: string
  icon?: ReactNode
  disabled?: boolean
}

/** A row of a drop-down list. */
export function OptionItem({ option, children }: { option: Option<string>; children?: ReactNode }) {
  return (
    <ListBoxItem id={option.value} className={control['item'] ?? ''} textValue={option.label}>
      {option.icon}
      <span className={classes(layout['words'], layout['rest'])}>
        <Text slot="label">{option.label}</Text>
        {option.description && (
          <Text slot="description" className={text['note'] ?? ''}>
            {option.description}
          </Text>
        )}
      </span>
      {children}
    </ListBoxItem>
  )
}
