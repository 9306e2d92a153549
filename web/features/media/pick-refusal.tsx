import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import type { ReactNode } from 'react'

/** Why some of the picked files were refused. `file`: the first refused one; `rest`: the files after it. */
export type PickRefusal = { message: string; file: string | null; rest: readonly File[] }

/** The refusal of `file`. If only one file was picked, its name is not repeated. */
export function refusalAt(picked: readonly File[], message: string, file: File | null): PickRefusal {
  if (file === null || picked.length < 2) return { message, file: null, rest: [] }
  return { message, file: file.name, rest: picked.slice(picked.indexOf(file) + 1) }
}

/** `onAddRest`: adds the files after the refused one; absent if none can be added. */
export function PickRefusalAlert({
  refusal: { message, file, rest },
  onAddRest,
  action,
}: {
  refusal: PickRefusal
  onAddRest?: () => void
  action?: ReactNode
}) {
  const others =
    rest.length === 0
      ? ''
      : rest.length === 1
        ? `, nor was ${rest[0]?.name} after it`
        : `, nor were the ${rest.length} files after it`
  return (
    <Alert
      tone="danger"
      live
      title={message}
      action={
        onAddRest && rest.length > 0 ? (
          <Button size="small" onPress={onAddRest}>
            {rest.length === 1 ? 'Add the other one' : `Add the other ${rest.length}`}
          </Button>
        ) : (
          action
        )
      }
    >
      {file !== null && `${file} was not added${others}.`}
    </Alert>
  )
}
