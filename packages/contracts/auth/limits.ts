export const authLimits = { passwordMin: 6, passwordMax: 200, nameMax: 100, emailMax: 254 } as const

/** Hours until a mailed link expires; a reset's is the shortest, as it opens the account. */
export const linkHours = { verify_email: 24, change_email: 24, reset_password: 1 } as const

/** Grace period in days: until then an account can be restored by logging in. */
export const graceDays = 30
