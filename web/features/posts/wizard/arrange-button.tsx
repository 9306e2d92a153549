import { ListOrdered } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useHasBeenTrue } from '../../../ui/lazy-component.tsx'
import { Button } from '../../../ui/button.tsx'
import { ArrangeDialog } from './lazy-dialogs.ts'

/** The number of picked items. Opens them in a dialog to order them, so that the grid does not move while the artist picks. */
export function ArrangeButton({ count, children }: { count: number; children: ReactNode }) {
  const [open, setOpen] = useState(false)
  const opened = useHasBeenTrue(open)
  return (
    <>
      <Button
        variant="quiet"
        icon={<ListOrdered />}
        onPress={() => {
          ArrangeDialog.preload()
          setOpen(true)
        }}
      >
        {count} picked
      </Button>
      {opened && (
        <ArrangeDialog open={open} onClose={() => setOpen(false)}>
          {children}
        </ArrangeDialog>
      )}
    </>
  )
}
