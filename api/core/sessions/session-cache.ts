import type { LiveFeed } from '../live.ts'
import type { SessionUser } from './session.ts'

/** What was proven of a session. */
export type CachedSession = {
  readonly user: SessionUser
  readonly expiresAt: Date
  readonly lastSeenAt: Date | undefined
}

export type SessionCache = ReturnType<typeof createSessionCache>

/** However a hint got lost, nobody goes on for longer by what was true before. */
const cachedForMs = 5000
const mostKept = 10_000

/**
 * Sessions that were proven moments ago, by their stored id, so that a page's dozen requests ask the database once. The database
 * tells every node when one is no longer true; a node that does not hear keeps none (decision 22).
 */
export function createSessionCache(live: Pick<LiveFeed, 'onHint' | 'isHearing'>) {
  const kept = new Map<string, { session: CachedSession; until: number }>()
  const idsOf = new Map<string, Set<string>>()
  /** Counts what was heard: a read that began before may hold what was true before. */
  let heard = 0
  const forget = (id: string) => {
    const owner = kept.get(id)?.session.user.id
    kept.delete(id)
    const ids = owner === undefined ? undefined : idsOf.get(owner)
    ids?.delete(id)
    if (owner !== undefined && ids?.size === 0) idsOf.delete(owner)
  }
  live.onHint(({ owner, topic }) => {
    if (owner === '*') {
      heard += 1
      kept.clear()
      idsOf.clear()
    } else if (topic === 'sessions') {
      heard += 1
      for (const id of idsOf.get(owner) ?? []) forget(id)
    }
  })
  return {
    get(id: string): CachedSession | undefined {
      const found = kept.get(id)
      if (!found || !live.isHearing()) return undefined
      if (found.until > performance.now()) return found.session
      forget(id)
      return undefined
    },
    /** Called before a session is read; what it answers keeps what was read, unless something was heard meanwhile. */
    reading(id: string): (session: CachedSession) => void {
      const before = heard
      return (session) => {
        if (heard !== before || !live.isHearing()) return
        forget(id)
        if (kept.size >= mostKept) forget(kept.keys().next().value ?? '')
        // Many requests see this one object.
        Object.freeze(session.user)
        Object.freeze(session.user.subscription)
        kept.set(id, { session, until: performance.now() + cachedForMs })
        idsOf.set(session.user.id, (idsOf.get(session.user.id) ?? new Set()).add(id))
      }
    },
  }
}
