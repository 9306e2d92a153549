export const authLimits = { passwordMin: 6, passwordMax: 200, nameMax: 100, emailMax: 254 } as const

/** Grace period in days: until then an account can be restored by logging in. */
export const graceDays = 30
