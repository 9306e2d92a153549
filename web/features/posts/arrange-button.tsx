import { ListOrdered } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

/** How many library items are picked; opens their order, so that the grid keeps its place while one picks. */
export function ArrangeButton({ count, children }: { count: number; children: ReactNode }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="quiet" icon={<ListOrdered aria-hidden="true" />} onPress={() => setOpen(true)}>
        {count} picked
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Picked media"
        actions={
          <Button variant="primary" onPress={() => setOpen(false)}>
            Done
          </Button>
        }
      >
        {children}
      </Dialog>
    </>
  )
}
