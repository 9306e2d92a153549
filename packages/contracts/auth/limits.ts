export const authLimits = { passwordMin: 6, passwordMax: 200, nameMax: 100, emailMax: 254 } as const

/** Days in which a deleted account can be had back by logging in (data kept 30 days). */
export const graceDays = 30
