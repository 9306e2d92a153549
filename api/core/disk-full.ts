/** The disk is full, or the quota of the system user is. */
const codes = ['ENOSPC', 'EDQUOT']
const maxCauses = 8

/** Whether an error, or one of its causes, is a full disk of this machine. */
export function isDiskFull(error: unknown): boolean {
  let cause = error
  for (let depth = 0; depth < maxCauses && cause instanceof Error; depth++) {
    if ('code' in cause && codes.includes(String(cause.code))) return true
    cause = cause.cause
  }
  return false
}
