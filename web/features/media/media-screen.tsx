import type { MediaItem } from '@flashsheet/contracts/media/schema'
import { useState, type ReactNode } from 'react'
import { useDialog } from '../../lib/use-dialog.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { DeleteMediaDialog } from './delete-media-dialog.tsx'
import { GalleryTab } from './gallery-tab.tsx'
import { filterLibrary, type LibraryShow } from './library-filter.ts'
import { LibraryTab } from './library-tab.tsx'
import { classes } from '../../ui/classes.ts'
import layout from '../../ui/layout.module.css'
import styles from './media-screen.module.css'
import { SelectionBar } from './selection-bar.tsx'
import { UploadSection } from './upload-section.tsx'
import { useGallery } from './use-gallery.ts'
import { useLibrary, useLiveLibrary, useMediaUses } from './use-library.ts'
import { ViewMediaDialog } from './view-media-dialog.tsx'

export type MediaTab = 'all' | 'gallery'

function itemsById(items: readonly MediaItem[], ids: readonly string[]): MediaItem[] {
  const byId = new Map(items.map((item) => [item._id, item]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

const noSelection: ReadonlySet<string> = new Set()

export type MediaScreenProps = {
  tab: MediaTab
  onTab: (tab: MediaTab) => void
  show: LibraryShow
  onShow: (show: LibraryShow) => void
  /** Starts a post with these items, in the order they were picked. */
  primaryAction: (items: readonly MediaItem[]) => ReactNode
}

export function MediaScreen({ tab, onTab, show, onShow, primaryAction }: MediaScreenProps) {
  useLiveLibrary()
  const library = useLibrary()
  const gallery = useGallery()
  const uses = useMediaUses()
  const [search, setSearch] = useState('')
  const [selectedIds, setSelectedIds] = useState(noSelection)
  const viewDialog = useDialog<string>()
  const deleteDialog = useDialog<readonly MediaItem[]>()
  const deleting = deleteDialog.about ?? []

  const filter = { show, search }
  const shown =
    tab === 'all'
      ? library.data && filterLibrary(library.data, filter, (id) => uses?.get(id)?.isPlanned ?? false)
      : library.data && gallery.ids && itemsById(library.data, gallery.ids)
  // In the order they were picked, without items that another tab deleted or the filter hides.
  const selected = itemsById(shown ?? [], [...selectedIds])
  const selection = {
    selected: new Set(selected.map((item) => item._id)),
    onSelect: setSelectedIds,
    onOpen: viewDialog.show,
  }
  const changeTab = (tabNow: MediaTab) => {
    setSelectedIds(noSelection)
    onTab(tabNow)
  }

  const viewedItem = library.data?.find((item) => item._id === viewDialog.about)

  return (
    <div className={classes(layout['to-the-edge'], styles['screen'])}>
      <UploadSection count={library.data?.length} />
      <div className={styles['views']}>
        <Tabs
          label="Which media"
          selected={tab}
          onSelect={changeTab}
          items={[
            {
              id: 'all',
              label: 'All',
              content: (
                <LibraryTab
                  library={library}
                  filtered={shown ?? []}
                  filter={filter}
                  onFilter={(next) => {
                    setSearch(next.search)
                    if (next.show !== show) onShow(next.show)
                  }}
                  gallery={gallery}
                  uses={uses}
                  {...selection}
                />
              ),
            },
            {
              id: 'gallery',
              label: 'Gallery',
              content: (
                <GalleryTab
                  items={shown}
                  library={library}
                  gallery={gallery}
                  {...selection}
                  onAll={() => changeTab('all')}
                />
              ),
            },
          ]}
        />
      </div>
      {selected.length > 0 && (
        <SelectionBar
          items={selected}
          gallery={gallery}
          onClear={() => setSelectedIds(noSelection)}
          onView={viewDialog.show}
          onDelete={() => deleteDialog.show(selected)}
          primaryAction={primaryAction(selected)}
        />
      )}
      <ViewMediaDialog
        item={viewedItem}
        use={viewedItem && uses?.get(viewedItem._id)}
        isOnSite={viewedItem !== undefined && (gallery.ids ?? []).includes(viewedItem._id)}
        actions={viewedItem && primaryAction([viewedItem])}
        open={viewDialog.open}
        onClose={viewDialog.close}
      />
      <DeleteMediaDialog
        items={deleting}
        open={deleteDialog.open}
        onClose={deleteDialog.close}
        onExclude={(used) => deleteDialog.show(deleting.filter(({ _id }) => !used.includes(_id)))}
        onDeleted={() => setSelectedIds(noSelection)}
      />
    </div>
  )
}
