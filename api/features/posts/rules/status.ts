import { postMessages } from '@flashsheet/contracts/posts/messages'
import { targetStatus } from '@flashsheet/contracts/posts/rules'
import type { LeftBehind, PostStatus, TargetPhase } from '@flashsheet/contracts/posts/limits'
import { type Platform, platformNames } from '@flashsheet/contracts/networks'

/** A post is scheduled while any target is not final, then failed if any failed, else posted. */
export function postStatus(phases: readonly TargetPhase[]): PostStatus {
  const all = phases.map(targetStatus)
  if (all.includes('scheduled')) return 'scheduled'
  return all.includes('failed') ? 'failed' : 'posted'
}

type Judged = { phase: TargetPhase; platform: Platform; pageName: string; errorMessage: string | null }

/** Names each failed page with its reason, one a line; null when none failed. */
export function postErrorMessage(targets: readonly Judged[]): string | null {
  const lines = targets
    .filter((target) => target.phase === 'failed')
    .map(
      (target) =>
        `${target.pageName} (${platformNames[target.platform]}): ${target.errorMessage ?? postMessages.failedFallback}`,
    )
  return lines.length === 0 ? null : lines.join('\n')
}

/** Whether nothing of it has begun, so that its post can be changed. */
export function isUntouched(target: { phase: TargetPhase; leaseToken: string | null }): boolean {
  return target.phase === 'scheduled' && target.leaseToken === null
}

/** Whether something of a failed target may be at its network. */
export function mayBeAtNetwork(target: {
  phase: TargetPhase
  unclear: boolean
  leftBehind: LeftBehind | null
}): boolean {
  return target.phase === 'failed' && (target.unclear || target.leftBehind !== null)
}
