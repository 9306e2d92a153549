/** What one request may ask (docs/product/limits.md). */
export const requestLimits = {
  /** Calls in one tRPC batch. */
  batchCalls: 20,
  /** Characters of a path; one of /trpc or /files/public may be longer. */
  pathCharacters: 200,
} as const
