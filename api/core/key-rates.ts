import { keyLimits } from '@flashsheet/contracts/keys/limits'
import type { Db } from '@flashsheet/db/client'
import { countEvent } from '@flashsheet/db/limits'
import type { Config } from './config.ts'
import { setBounded } from './set-bounded.ts'

type RatePolicy = 'key' | 'create'
export type Rate = { policy: RatePolicy; isWithin: boolean; remaining: number; resetSeconds: number }
export type KeyRates = ReturnType<typeof createKeyRates>

/** `slice`: how many requests a process takes from the shared count at once, so that not every request writes. */
const quotas: Record<RatePolicy, { max: number; slice: number }> = {
  key: { max: keyLimits.requests, slice: 20 },
  create: { max: keyLimits.creatingRequests, slice: 1 },
}

/** The header `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers). */
export const ratePolicies = Object.entries(quotas)
  .map(([policy, { max }]) => `"${policy}";q=${max};w=${keyLimits.windowSeconds}`)
  .join(', ')

export const rateText = ({ policy, remaining, resetSeconds }: Rate) => `"${policy}";r=${remaining};t=${resetSeconds}`

type Window = {
  endsAt: number
  granted: number
  used: number
  shared: number
  /** The slice that is being taken. Concurrent requests wait for it, so that none is refused meanwhile. */
  taking: Promise<void> | undefined
}
const maxWindows = 10_000

/**
 * Counts the requests of a key across all processes: each process takes slices of a shared count. Other processes cannot
 * use the rest of a slice in that minute. With RATE_LIMITS off it counts, but refuses nothing.
 */
export function createKeyRates(db: Db, config: Pick<Config, 'enforcesRateLimits'>, now: () => Date) {
  const windows = new Map<string, Window>()
  const windowOf = (id: string, at: number): Window => {
    const known = windows.get(id)
    if (known && known.endsAt > at) return known
    const fresh = { endsAt: at + keyLimits.windowSeconds * 1000, granted: 0, used: 0, shared: 0, taking: undefined }
    setBounded(windows, id, fresh, maxWindows)
    return fresh
  }
  const takeSlice = async (window: Window, keyId: string, policy: RatePolicy, at: Date): Promise<void> => {
    const { max, slice } = quotas[policy]
    const { count, endsAt } = await countEvent(db, `key:${policy}:${keyId}`, keyLimits.windowSeconds, at, slice)
    window.granted += Math.max(0, Math.min(slice, max - (count - slice)))
    window.shared = count
    window.endsAt = endsAt.getTime()
  }
  return {
    async count(keyId: string, policy: RatePolicy): Promise<Rate> {
      const { max, slice } = quotas[policy]
      const at = now()
      const window = windowOf(`${policy}:${keyId}`, at.getTime())
      while (window.used >= window.granted && (window.shared < max || !config.enforcesRateLimits)) {
        if (config.enforcesRateLimits) {
          window.taking ??= takeSlice(window, keyId, policy, at).finally(() => (window.taking = undefined))
          await window.taking
        } else {
          window.granted += slice
          window.shared += slice
        }
      }
      const isWithin = window.used < window.granted
      if (isWithin) window.used += 1
      const unused = window.granted - window.used
      const resetSeconds = Math.max(1, Math.ceil((window.endsAt - at.getTime()) / 1000))
      return { policy, isWithin, remaining: Math.max(0, max - window.shared) + unused, resetSeconds }
    },
  }
}
