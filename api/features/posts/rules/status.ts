import { postMessages } from '@flashsheet/contracts/posts/messages'
import { targetStatus } from '@flashsheet/contracts/posts/rules'
import type { LeftBehind, PostStatus, TargetPhase } from '@flashsheet/contracts/posts/limits'
import { type Platform, platformNames } from '@flashsheet/contracts/networks'

/** A post is scheduled while any target is not final, then failed if any failed, otherwise posted. */
export function postStatus(phases: readonly TargetPhase[]): PostStatus {
  const all = phases.map(targetStatus)
  if (all.includes('scheduled')) return 'scheduled'
  return all.includes('failed') ? 'failed' : 'posted'
}

type TargetOutcome = { phase: TargetPhase; platform: Platform; pageName: string; errorMessage: string | null }

/** Each failed page with its reason, one per line; null when none failed. */
export function postErrorMessage(targets: readonly TargetOutcome[]): string | null {
  const lines = targets
    .filter((target) => target.phase === 'failed')
    .map(
      (target) =>
        `${target.pageName} (${platformNames[target.platform]}): ${target.errorMessage ?? postMessages.failedFallback}`,
    )
  return lines.length === 0 ? null : lines.join('\n')
}

/** Whether the target has not begun, so that its post can be changed. */
export function isUntouched(target: { phase: TargetPhase; leaseToken: string | null }): boolean {
  return target.phase === 'scheduled' && target.leaseToken === null
}

/** Whether a failed target's post may be at its network. */
export function mayBeAtNetwork(target: {
  phase: TargetPhase
  unclear: boolean
  leftBehind: LeftBehind | null
}): boolean {
  return target.phase === 'failed' && (target.unclear || target.leftBehind !== null)
}
