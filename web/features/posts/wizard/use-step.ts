import { useBlocker, useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { whole } from '../../../lib/search.ts'
import { reachable, type DraftEnvironment } from '../draft/draft-completeness.ts'
import { isSent } from '../draft/draft-request.ts'
import { tidyDraft, type DraftStore } from '../draft/draft-store.ts'
import { dropUnusedTimes, isPlanKept } from '../draft/plan-at.ts'
import { goTo, type Draft, type Step } from '../draft/draft.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Steps of the wizard that stand right before this entry, the oldest first. Absent on one that the wizard has not taken yet. */
    stepsBefore?: readonly number[]
  }
}

const wizardPath = '/new-post'
/** From the second on; the first has the bare address. */
const stepIn = whole(2, 4)

/** An entry of the history as it was arrived at. `again`: by a link to this screen, from this screen. */
type StepArrival = { key: string | undefined; draftId: string; step: Step; walked: boolean; again: boolean }

export type StepNavigation = { step: Step; walked: boolean; go: (step: number) => void }

/**
 * The step that is shown. Each is an entry of the browser's history: Back goes one step back, and from the first one leaves.
 * From the second on the address names it; who comes without a step finds the one the draft was left at. Once the post is
 * sent the entries are gone back over, so that Back leaves there too. While it is being sent (`busy`) nobody walks.
 */
export function useStep(store: DraftStore, draft: Draft, around: DraftEnvironment, busy: boolean): StepNavigation {
  const router = useRouter()
  const navigate = useNavigate()
  const { pathname, searchStr, state } = useLocation()
  const { __TSR_key: key, stepsBefore: before } = state
  const sent = isSent(draft)
  const named = stepIn(new URLSearchParams(searchStr).get('step')) ?? (before ? 1 : undefined)
  const arrive = (wanted: number, then: Pick<StepArrival, 'walked' | 'again'>): StepArrival => ({
    key,
    draftId: draft.id,
    step: sent ? 4 : reachable(draft, wanted, around),
    ...then,
  })

  const [known, setKnown] = useState(() => arrive(named ?? draft.step, { walked: false, again: false }))
  let arrival = known
  // On the way to another screen the address is that screen's already.
  if (pathname === wizardPath && (known.key !== key || known.draftId !== draft.id)) {
    const again = known.draftId === draft.id && !before
    arrival = arrive(known.draftId === draft.id ? (again ? known.step : (named ?? 1)) : draft.step, {
      walked: true,
      again,
    })
    // The entry one arrived at gets its own name in the history: nobody has walked by that.
    if (known.draftId === draft.id && known.step === arrival.step) arrival = { ...arrival, walked: known.walked }
    setKnown(arrival)
  }
  const { step } = arrival

  // Two presses before the first is answered are one.
  const onTheWay = useRef(false)
  useEffect(() => {
    onTheWay.current = false
    // Whoever comes anew has seen how the last post went; the draft that takes its place is arrived at by itself.
    if (!before) {
      tidyDraft(store)
      if (!isPlanKept()) store.update(dropUnusedTimes)
    }
    if (store.get().id !== arrival.draftId) return
    if (arrival.again && !sent) return router.history.back()
    // Behind this entry stand those of the walk: it is left in a moment, see below.
    if (sent && before && before.length > 0) return
    if (!before || named !== step) void navigate({ ...to(step), state: { stepsBefore: before ?? [] }, replace: true })
    if (!sent) store.update((now) => (now.step === step ? now : goTo(now, step)))
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each arrival: the address changes before the screen is left
  }, [arrival])

  const walkedOver = pathname === wizardPath && sent && !busy ? (before?.length ?? 0) : 0
  useEffect(() => {
    if (walkedOver > 0) router.history.go(-walkedOver)
  }, [router, walkedOver])
  useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname === next.pathname,
    disabled: !busy,
    enableBeforeUnload: false,
  })

  return {
    step,
    walked: arrival.walked,
    go(target) {
      if (onTheWay.current || target === step) return
      onTheWay.current = true
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
