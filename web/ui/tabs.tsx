import type { ReactNode } from 'react'
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components'
import styles from './tabs.module.css'

export type TabItem<T extends string> = { id: T; label: string; icon?: ReactNode; content: ReactNode; disabled?: boolean }

export type TabsProps<T extends string> = {
  /** What the tabs choose between, for screen readers. */
  label: string
  selected: T
  onSelect: (id: T) => void
  items: readonly TabItem<T>[]
}

/** Views of one thing, one seen at a time. */
export function Tabs<T extends string>({ label, selected, onSelect, items }: TabsProps<T>) {
  return (
    <AriaTabs
      selectedKey={selected}
      onSelectionChange={(key) => {
        const found = items.find((item) => item.id === key)
        if (found) onSelect(found.id)
      }}
    >
      <TabList aria-label={label} className={styles['list'] ?? ''}>
        {items.map((item) => (
          <Tab key={item.id} id={item.id} isDisabled={item.disabled ?? false} className={styles['tab'] ?? ''}>
            {item.icon}
            {item.label}
          </Tab>
        ))}
      </TabList>
      {items.map((item) => (
        <TabPanel key={item.id} id={item.id} className={styles['panel'] ?? ''}>
          {item.content}
        </TabPanel>
      ))}
    </AriaTabs>
  )
}
