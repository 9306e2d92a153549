import type { MediaItem } from '@flashsheet/contracts/media/schema'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { CheckboxButton, CheckboxField, GridList, GridListItem, Text } from 'react-aria-components'
import { clock } from '../../lib/clock.ts'
import { formatStamp } from '../../lib/format.ts'
import { classes } from '../../ui/classes.ts'
import layout from '../../ui/layout.module.css'
import { FileName } from './file-name.tsx'
import styles from './media-grid.module.css'

export type MediaGridProps = {
  label: string
  items: readonly MediaItem[]
  /** `_id`s. */
  selected: ReadonlySet<string>
  onSelect: (selected: ReadonlySet<string>) => void
  /** If present, a press opens an item while nothing is selected; its checkbox, Space or a long press starts a selection. */
  onOpen?: (id: string) => void
  /** Shown in the circle of a selected item; a tick by default. */
  mark?: (item: MediaItem) => ReactNode
  /** Why an item cannot be selected; null if it can. Such items are dimmed and show the reason. */
  disabledReason?: (item: MediaItem) => string | null
  /** A badge on the picture, such as "On website". */
  badge?: (item: MediaItem) => ReactNode
  /** The inputs of `mark`, `disabledReason` and `badge`; tiles are rendered again when one of them changes. */
  dependencies?: readonly unknown[]
}

const always: readonly unknown[] = []

/** Media as a grid of pictures to select from: by mouse, touch or keyboard (arrows, Space, Shift with arrows, Ctrl+A, Escape). */
export function MediaGrid({
  label,
  items,
  selected,
  onSelect,
  onOpen,
  mark = () => <Check />,
  disabledReason = () => null,
  badge = () => null,
  dependencies = always,
}: MediaGridProps) {
  return (
    <GridList
      aria-label={label}
      layout="grid"
      items={items}
      dependencies={dependencies}
      selectionMode="multiple"
      selectedKeys={selected}
      disabledKeys={items.filter((item) => disabledReason(item) !== null).map((item) => item._id)}
      onSelectionChange={(keys) =>
        onSelect(keys === 'all' ? new Set(items.map((item) => item._id)) : new Set([...keys].map(String)))
      }
      onAction={onOpen && ((key) => onOpen(String(key)))}
      className={styles['grid'] ?? ''}
    >
      {(item) => (
        <GridListItem
          id={item._id}
          textValue={item.name}
          className={({ isSelected }) => classes(styles['tile'], isSelected && styles['picked'])}
        >
          {({ isSelected }) => (
            <>
              <span className={styles['frame']}>
                <img src={item.thumbnailUrl} alt="" loading="lazy" decoding="async" className={styles['picture']} />
                {onOpen ? (
                  <CheckboxField slot="selection" className={styles['select'] ?? ''}>
                    <CheckboxButton className={styles['tick'] ?? ''}>
                      <span className={styles['mark']} aria-hidden="true">
                        <Check />
                      </span>
                    </CheckboxButton>
                  </CheckboxField>
                ) : (
                  <span className={styles['mark']} aria-hidden="true">
                    {isSelected && mark(item)}
                  </span>
                )}
                {item.duration !== null && (
                  <span className={classes(layout['on-picture'], styles['length'])}>{clock(item.duration)}</span>
                )}
                {badge(item)}
              </span>
              <FileName name={item.name} className={styles['name']} />
              <Text slot="description" className={styles['about'] ?? ''}>
                {disabledReason(item) ?? formatStamp(item.createdAt)}
              </Text>
            </>
          )}
        </GridListItem>
      )}
    </GridList>
  )
}
