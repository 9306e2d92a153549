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

/** The wizard's state for one history entry. `isSelfLink`: the entry was created by a link from this screen to itself. */
type StepArrival = {
  key: string | undefined
  draftId: string
  step: Step
  hasStepChanged: boolean
  isSelfLink: boolean
}

/**
 * The step that is shown. Each step is a history entry: Back goes one step back, and leaves the wizard from the first step. The URL
 * names steps 2 to 4; without one the draft's step is shown. After sending, the history returns to the first entry, so that Back leaves
 * the wizard. While the post is being sent (`busy`), the step cannot change.
 */
export function useStep(store: DraftStore, draft: Draft, environment: DraftEnvironment, busy: boolean) {
  const router = useRouter()
  const navigate = useNavigate()
  const { pathname, searchStr, state } = useLocation()
  const { __TSR_key: key, stepsBefore: before } = state
  const isDraftSent = isSent(draft)
  const namedStep = stepIn(new URLSearchParams(searchStr).get('step')) ?? (before ? 1 : undefined)
  const arrivalAt = (target: number, then: Pick<StepArrival, 'hasStepChanged' | 'isSelfLink'>): StepArrival => ({
    key,
    draftId: draft.id,
    step: isDraftSent ? 4 : reachableStep(draft, target, environment),
    ...then,
  })

  const [lastArrival, setLastArrival] = useState(() =>
    arrivalAt(namedStep ?? draft.step, { hasStepChanged: false, isSelfLink: false }),
  )
  let arrival = lastArrival
  // While another screen loads, the URL is already that of the other screen.
  if (pathname === wizardPath && (lastArrival.key !== key || lastArrival.draftId !== draft.id)) {
    const isSelfLink = lastArrival.draftId === draft.id && !before
    arrival = arrivalAt(
      lastArrival.draftId === draft.id ? (isSelfLink ? lastArrival.step : (namedStep ?? 1)) : draft.step,
      {
        hasStepChanged: true,
        isSelfLink,
      },
    )
    // Adding the step to the URL of the first entry replaces that entry, and is no change of step.
    if (lastArrival.draftId === draft.id && lastArrival.step === arrival.step)
      arrival = { ...arrival, hasStepChanged: lastArrival.hasStepChanged }
    setLastArrival(arrival)
  }
  const { step } = arrival

  // A second press before the first navigation ends is ignored.
  const isNavigating = useRef(false)
  useEffect(() => {
    isNavigating.current = false
    // On a new visit the outcome of the last post has been shown. A new draft triggers this effect again.
    if (!before) {
      replaceFinishedDraft(store)
      if (!isTimePlanned()) store.update(removeUnusedTimes)
    }
    if (store.get().id !== arrival.draftId) return
    if (arrival.isSelfLink && !isDraftSent) {
      // The router adds its entry to the browser's history one microtask later. Before that, this would go back one step too far.
      router.history.flush()
      return router.history.back()
    }
    // The effect below goes back over the history entries of earlier steps.
    if (isDraftSent && before && before.length > 0) return
    if (!before || namedStep !== step)
      void navigate({ ...to(step), state: { stepsBefore: before ?? [] }, replace: true })
    if (!isDraftSent) store.update((now) => (now.step === step ? now : goTo(now, step)))
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each arrival: the URL changes before the screen is left
  }, [arrival])

  const entriesBack = pathname === wizardPath && isDraftSent && !busy ? (before?.length ?? 0) : 0
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
    hasStepChanged: arrival.hasStepChanged,
    go: (target: number) => {
      if (isNavigating.current || target === step) return
      isNavigating.current = true
      const index = before?.lastIndexOf(target) ?? -1
      if (target < step && index >= 0) router.history.go(index - (before?.length ?? 0))
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
