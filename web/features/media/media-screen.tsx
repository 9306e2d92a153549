import type { MediaItem } from '@flashsheet/contracts/media/schema'
import { useState } from 'react'
import { Tabs } from '../../ui/tabs.tsx'
import { DeleteMediaDialog } from './delete-media-dialog.tsx'
import { GalleryTab } from './gallery-tab.tsx'
import { LibraryTab } from './library-tab.tsx'
import styles from './media-screen.module.css'
import { SelectionBar } from './selection-bar.tsx'
import { UploadSection } from './upload-section.tsx'
import { useGallery } from './use-gallery.ts'
import { useLibrary, useLiveLibrary } from './use-library.ts'
import { ViewMediaDialog } from './view-media-dialog.tsx'

export type MediaTab = 'all' | 'gallery'

function inOrder(items: readonly MediaItem[], ids: readonly string[]): MediaItem[] {
  const byId = new Map(items.map((item) => [item._id, item]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

const nothing: ReadonlySet<string> = new Set()

/** /media: files on their way in, the library, and which of it the website shows. */
export function MediaScreen({ tab, onTab }: { tab: MediaTab; onTab: (tab: MediaTab) => void }) {
  useLiveLibrary()
  const library = useLibrary()
  const gallery = useGallery()
  const [chosen, setChosen] = useState(nothing)
  // What a dialog is about outlives its closing, so that it can leave with its words.
  const [viewed, setViewed] = useState<{ id: string | null; open: boolean }>({ id: null, open: false })
  const [leaving, setLeaving] = useState<{ ids: readonly string[]; open: boolean }>({ ids: [], open: false })

  const shown = tab === 'all' ? library.items : library.items && gallery.ids && inOrder(library.items, gallery.ids)
  // What another tab took away is no longer selected here.
  const selected = (shown ?? []).filter((item) => chosen.has(item._id))
  const ids = new Set(selected.map((item) => item._id))
  const choose = (tabNow: MediaTab) => {
    setChosen(nothing)
    onTab(tabNow)
  }

  return (
    <div className={styles['screen']}>
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
              content: <LibraryTab library={library} gallery={gallery} selected={ids} onSelect={setChosen} />,
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
          onView={(id) => setViewed({ id, open: true })}
          onDelete={() => setLeaving({ ids: [...ids], open: true })}
        />
      )}
      <ViewMediaDialog
        item={library.items?.find((item) => item._id === viewed.id)}
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
