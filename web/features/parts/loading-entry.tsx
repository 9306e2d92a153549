import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import text from '../../ui/text.module.css'

/** The skeleton of a list entry: a name and a note. */
export function LoadingEntry({ label }: { label: string }) {
  return (
    <Loading label={label}>
      <Skeleton width="half" />
      <p className={text['note']}>
        <Skeleton />
      </p>
    </Loading>
  )
}
