import { useBlocker, useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { integer } from '../../../lib/search.ts'
import { reachableStep, type DraftEnvironment } from '../draft/draft-completeness.ts'
import { isSent } from '../draft/draft-request.ts'
import { replaceFinishedDraft, type DraftStore } from '../draft/draft-store.ts'
import { removeUnusedTimes, isTimePlanned } from '../draft/plan-at.ts'
import { goTo, type Draft, type Step } from '../draft/draft.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Steps in the history entries right before this one, oldest first. Absent on an entry that the wizard has not written yet. */
    stepsBefore?: readonly number[]
  }
}

const wizardPath = '/new-post'
/** The `step` parameter; absent for step 1. */
const stepIn = integer(2, 4)

/** A history entry on arrival. `again`: by a link on this screen to itself. */
type StepArrival = { key: string | undefined; draftId: string; step: Step; stepChanged: boolean; again: boolean }

export type StepNavigation = { step: Step; stepChanged: boolean; go: (step: number) => void }

/**
 * The step that is shown. Each step is a history entry: Back goes one step back, and leaves the wizard from the first one. The address
 * names steps 2 to 4; without one the draft's own step is shown. After sending, the history goes back to the first entry, so that Back
 * leaves from there too. While the post is being sent (`busy`) the step does not change.
 */
export function useStep(store: DraftStore, draft: Draft, around: DraftEnvironment, busy: boolean): StepNavigation {
  const router = useRouter()
  const navigate = useNavigate()
  const { pathname, searchStr, state } = useLocation()
  const { __TSR_key: key, stepsBefore: before } = state
  const sent = isSent(draft)
  const named = stepIn(new URLSearchParams(searchStr).get('step')) ?? (before ? 1 : undefined)
  const arrive = (wanted: number, then: Pick<StepArrival, 'stepChanged' | 'again'>): StepArrival => ({
    key,
    draftId: draft.id,
    step: sent ? 4 : reachableStep(draft, wanted, around),
    ...then,
  })

  const [known, setKnown] = useState(() => arrive(named ?? draft.step, { stepChanged: false, again: false }))
  let arrival = known
  // While another screen loads, the address is already that screen's.
  if (pathname === wizardPath && (known.key !== key || known.draftId !== draft.id)) {
    const again = known.draftId === draft.id && !before
    arrival = arrive(known.draftId === draft.id ? (again ? known.step : (named ?? 1)) : draft.step, {
      stepChanged: true,
      again,
    })
    // Adding the step to the address of the first entry is a replacement, not a change of step.
    if (known.draftId === draft.id && known.step === arrival.step)
      arrival = { ...arrival, stepChanged: known.stepChanged }
    setKnown(arrival)
  }
  const { step } = arrival

  // A second press before the first navigation ends is ignored.
  const isNavigating = useRef(false)
  useEffect(() => {
    isNavigating.current = false
    // On a new visit the outcome of the last post was seen. The new draft triggers an arrival of its own.
    if (!before) {
      replaceFinishedDraft(store)
      if (!isTimePlanned()) store.update(removeUnusedTimes)
    }
    if (store.get().id !== arrival.draftId) return
    if (arrival.again && !sent) return router.history.back()
    // History entries of earlier steps are before this one; the code below goes back over them.
    if (sent && before && before.length > 0) return
    if (!before || named !== step) void navigate({ ...to(step), state: { stepsBefore: before ?? [] }, replace: true })
    if (!sent) store.update((now) => (now.step === step ? now : goTo(now, step)))
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each arrival: the address changes before the screen is left
  }, [arrival])

  const entriesBack = pathname === wizardPath && sent && !busy ? (before?.length ?? 0) : 0
  useEffect(() => {
    if (entriesBack > 0) router.history.go(-entriesBack)
  }, [router, entriesBack])
  useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname === next.pathname,
    disabled: !busy,
    enableBeforeUnload: false,
  })

  return {
    step,
    stepChanged: arrival.stepChanged,
    go(target) {
      if (isNavigating.current || target === step) return
      isNavigating.current = true
      const behind = before?.lastIndexOf(target) ?? -1
      if (target < step && behind >= 0) router.history.go(behind - (before?.length ?? 0))
      else
        void navigate({
          ...to(target),
          state: { stepsBefore: target > step ? [...(before ?? []), step] : before },
          replace: target < step,
        })
    },
  }
}

const to = (step: number) => ({ to: wizardPath, search: step === 1 ? {} : { step } }) as const
