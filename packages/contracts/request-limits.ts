/** Limits of one request (docs/product/limits.md). */
export const requestLimits = {
  /** Calls in one tRPC batch. */
  batchCalls: 20,
  /** Characters of a path; paths below /trpc and /files/public may be longer. */
  pathCharacters: 200,
} as const
