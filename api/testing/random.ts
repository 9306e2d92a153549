export type Random = {
  /** A number in [0, 1). */
  next: () => number
  /** An integer in [0, `below`). */
  below: (below: number) => number
  /** A number in [`from`, `to`). */
  between: (from: number, to: number) => number
  /** An integer from `from` to `to`. */
  whole: (from: number, to: number) => number
  /** True with this probability. */
  chance: (probability: number) => boolean
  /** True with probability 1/`n`. */
  oneIn: (n: number) => boolean
  pick: <T>(list: readonly T[]) => T
}

/** A seeded pseudorandom generator (mulberry32), so that a failure can be reproduced. */
export function seeded(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  const between = (from: number, to: number) => from + next() * (to - from)
  return {
    next,
    below,
    between,
    whole: (from, to) => Math.floor(between(from, to + 1)),
    chance: (probability) => next() < probability,
    oneIn: (n) => below(n) === 0,
    pick: <T>(list: readonly T[]) => {
      const found = list[below(list.length)]
      if (found === undefined && list.length === 0) throw new Error('nothing to pick from')
      return found as T
    },
  }
}
