import type { ReactNode } from 'react'
import { failureOf } from '../../lib/failure.ts'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import text from '../../ui/text.module.css'
import { RetryAlert } from './retry-alert.tsx'

export type FailedQuery = { error: unknown; isFetching: boolean; refetch: () => unknown }

/** Why a query failed, and a button to repeat it. `failed` is the message when the server sent none. */
export function LoadFailed({ query, failed }: { query: FailedQuery; failed: string }) {
  const failure = failureOf(query.error, failed)
  return <RetryAlert live failure={failure} onRetry={() => void query.refetch()} pending={query.isFetching} />
}

type PendingQueryProps = {
  query: FailedQuery
  /** What screen readers announce while it loads. */
  label: string
  /** The message when the server sent none. */
  failed: string
  /** The skeleton; by default that of a list entry: a name and a note. */
  children?: ReactNode
}

/** Shown in place of a query's data until there is any. */
export function PendingQuery({ query, label, failed, children }: PendingQueryProps) {
  if (query.error) return <LoadFailed query={query} failed={failed} />
  return (
    <Loading label={label}>
      {children ?? (
        <>
          <Skeleton width="half" />
          <p className={text['note']}>
            <Skeleton />
          </p>
        </>
      )}
    </Loading>
  )
}
