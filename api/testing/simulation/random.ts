/** Chance that can be had again: the same seed brings the same numbers. */
export type Random = {
  /** At least `from`, below `to`. */
  between: (from: number, to: number) => number
  whole: (from: number, to: number) => number
  chance: (probability: number) => boolean
  pick: <T>(of: readonly T[]) => T
}

/** Mulberry32: small, quick, and good enough to choose mishaps by. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const between = (from: number, to: number) => from + next() * (to - from)
  return {
    between,
    whole: (from, to) => Math.floor(between(from, to + 1)),
    chance: (probability) => next() < probability,
    pick(of) {
      const one = of[Math.floor(next() * of.length)]
      if (one === undefined) throw new Error('there is nothing to pick from')
      return one
    },
  }
}
