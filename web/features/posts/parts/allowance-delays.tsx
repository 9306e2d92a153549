import { formatScheduled } from '../../../lib/format.ts'
import { Alert } from '../../../ui/alert.tsx'
import type { Delay } from './allowance-texts.ts'

/** Names the pages whose daily allowance is used up, and when they can post again. The post can be sent nevertheless, and waits. */
export function AllowanceDelays({ delays }: { delays: readonly Delay[] }) {
  return delays.map(({ key, page, sentence, times }) => (
    <Alert key={key} tone="warning" title={`${page} has to wait.`}>
      <p>{sentence}</p>
      {times.map(({ planned, freesAt }) => (
        <p key={planned ?? ''}>
          {planned === null ? 'It' : `What you plan for ${formatScheduled(planned)}`} goes out by itself on{' '}
          {formatScheduled(freesAt)}.
        </p>
      ))}
    </Alert>
  ))
}
