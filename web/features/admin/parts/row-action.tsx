import type { ReactNode } from 'react'
import { tabletWidth, useMediaQuery } from '../../../ui/use-media-query.ts'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'

type RowActionProps = {
  /** The accessible name, with the name of the row. */
  label: string
  text: string
  icon: ReactNode
  isDisabled?: boolean
  onPress: () => void
}

/** An action of a record: an icon in a table row, a button with a text on a card. */
export function RowAction({ label, text, icon, ...props }: RowActionProps) {
  const isNarrow = useMediaQuery(tabletWidth)
  return isNarrow ? (
    <Button {...props} size="small" icon={icon} aria-label={label}>
      {text}
    </Button>
  ) : (
    <IconButton {...props} size="small" label={label}>
      {icon}
    </IconButton>
  )
}
