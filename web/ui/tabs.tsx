import { useId, useRef, type KeyboardEvent, type ReactNode } from 'react'
import styles from './tabs.module.css'

type TabItem<T extends string> = {
  id: T
  label: string
  icon?: ReactNode
  content: ReactNode
  disabled?: boolean
}

export type TabsProps<T extends string> = {
  /** The accessible name. */
  label: string
  selected: T
  onSelect: (id: T) => void
  items: readonly TabItem<T>[]
}

/**
 * Tabs, written after the ARIA pattern. react-aria's tabs load its collections, 20 kB that the wizard's first step
 * does not need otherwise.
 */
export function Tabs<T extends string>({ label, selected, onSelect, items }: TabsProps<T>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const shown = items.find((item) => item.id === selected)
  const handleKey = (event: KeyboardEvent) => {
    const enabled = items.filter((item) => !item.disabled)
    const at = enabled.findIndex((item) => item.id === selected)
    const target = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key]
    const next = target === undefined ? undefined : enabled.at(target % enabled.length)
    if (!next) return
    event.preventDefault()
    onSelect(next.id)
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus()
  }
  return (
    <div>
      <div ref={list} role="tablist" aria-label={label} className={styles['list']}>
        {items.map((item) => {
          const isSelected = item.id === selected
          return (
            <button
              key={item.id}
              type="button"
              role="tab"
              id={`${id}-${item.id}`}
              data-tab={item.id}
              aria-selected={isSelected}
              aria-controls={isSelected ? `${id}-panel` : undefined}
              // Roving tabindex: one stop for Tab; arrow keys move between tabs.
              tabIndex={isSelected ? 0 : -1}
              disabled={item.disabled}
              className={styles['tab']}
              onClick={() => onSelect(item.id)}
              onKeyDown={handleKey}
            >
              {item.icon}
              {item.label}
            </button>
          )
        })}
      </div>
      <div
        key={selected}
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${selected}`}
        className={styles['panel']}
      >
        {shown?.content}
      </div>
    </div>
  )
}
