import type { ReactNode } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'

export type ArrangeDialogProps = { open: boolean; onClose: () => void; children: ReactNode }

/** The order of picked library items. */
export function ArrangeDialog({ open, onClose, children }: ArrangeDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Picked media"
      actions={
        <Button variant="primary" onPress={onClose}>
          Done
        </Button>
      }
    >
      {children}
    </Dialog>
  )
}
