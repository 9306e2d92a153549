import { ListOrdered } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useEver } from '../../../ui/lazy-component.tsx'
import { Button } from '../../../ui/button.tsx'
import { ArrangeDialog } from './lazy-dialogs.tsx'

/** How many library items are picked; opens their order, so that the grid keeps its place while one picks. */
export function ArrangeButton({ count, children }: { count: number; children: ReactNode }) {
  const [open, setOpen] = useState(false)
  const opened = useEver(open)
  return (
    <>
      <Button
        variant="quiet"
        icon={<ListOrdered aria-hidden="true" />}
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
