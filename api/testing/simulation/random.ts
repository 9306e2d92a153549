import { seeded } from '../random.ts'

/** Reproducible randomness: the same seed gives the same values. */
export type Random = {
  /** In [`from`, `to`). */
  between: (from: number, to: number) => number
  whole: (from: number, to: number) => number
  chance: (probability: number) => boolean
  pick: <T>(of: readonly T[]) => T
}

export function randomOf(seed: number): Random {
  const { next, pick } = seeded(seed)
  const between = (from: number, to: number) => from + next() * (to - from)
  return {
    between,
    whole: (from, to) => Math.floor(between(from, to + 1)),
    chance: (probability) => next() < probability,
    pick,
  }
}
