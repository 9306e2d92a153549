import type { MediaItem } from '@flashsheet/contracts/media/schema'
import { useState, type ReactNode } from 'react'
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

function inOrder(items: readonly MediaItem[], ids: readonly string[]): MediaItem[] {
  const byId = new Map(items.map((item) => [item._id, item]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

const nothing: ReadonlySet<string> = new Set()

export type MediaScreenProps = {
  tab: MediaTab
  onTab: (tab: MediaTab) => void
  show: LibraryShow
  onShow: (show: LibraryShow) => void
  /** Starts a post with these items, in the order they were picked. */
  lead: (items: readonly MediaItem[]) => ReactNode
}

export function MediaScreen({ tab, onTab, show, onShow, lead }: MediaScreenProps) {
  useLiveLibrary()
  const library = useLibrary()
  const gallery = useGallery()
  const uses = useMediaUses()
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState(nothing)
  // Kept after closing, so that the dialog keeps its content while it animates out.
  const [viewed, setViewed] = useState<{ id: string | null; open: boolean }>({ id: null, open: false })
  const [leaving, setLeaving] = useState<{ ids: readonly string[]; open: boolean }>({ ids: [], open: false })

  const filter = { show, search }
  const shown =
    tab === 'all'
      ? library.items && filterLibrary(library.items, filter, (id) => uses?.get(id)?.isPlanned ?? false)
      : library.items && gallery.ids && inOrder(library.items, gallery.ids)
  // In the order they were picked; without items that another tab deleted or the filter hides.
  const selected = inOrder(shown ?? [], [...chosen])
  const ids = new Set(selected.map((item) => item._id))
  const open = (id: string) => setViewed({ id, open: true })
  const choose = (tabNow: MediaTab) => {
    setChosen(nothing)
    onTab(tabNow)
  }

  const viewedItem = library.items?.find((item) => item._id === viewed.id)

  return (
    <div className={classes(layout['to-the-edge'], styles['screen'])}>
      <UploadSection count={library.items?.length} />
      <div className={styles['views']}>
        <Tabs
          label="Which media"
          selected={tab}
          onSelect={choose}
          items={[
            {
              id: 'all',
              label: 'All',
              content: (
                <LibraryTab
                  library={library}
                  shown={shown ?? []}
                  filter={filter}
                  onFilter={(next) => {
                    setSearch(next.search)
                    if (next.show !== show) onShow(next.show)
                  }}
                  gallery={gallery}
                  uses={uses}
                  selected={ids}
                  onSelect={setChosen}
                  onOpen={open}
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
                  selected={ids}
                  onSelect={setChosen}
                  onOpen={open}
                  onAll={() => choose('all')}
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
          onClear={() => setChosen(nothing)}
          onView={open}
          onDelete={() => setLeaving({ ids: [...ids], open: true })}
          lead={lead(selected)}
        />
      )}
      <ViewMediaDialog
        item={viewedItem}
        use={viewedItem && uses?.get(viewedItem._id)}
        isOnSite={viewedItem !== undefined && (gallery.ids ?? []).includes(viewedItem._id)}
        actions={viewedItem && lead([viewedItem])}
        open={viewed.open}
        onClose={() => setViewed({ ...viewed, open: false })}
      />
      <DeleteMediaDialog
        items={(library.items ?? []).filter((item) => leaving.ids.includes(item._id))}
        open={leaving.open}
        onClose={() => setLeaving({ ...leaving, open: false })}
        onKeep={(used) => setLeaving({ ids: leaving.ids.filter((id) => !used.includes(id)), open: true })}
        onDeleted={() => setChosen(nothing)}
      />
    </div>
  )
}
