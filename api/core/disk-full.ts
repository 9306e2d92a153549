/** What the system says where nothing more can be written: the disk is full, or what one account may use of it is used up. */
const codes = ['ENOSPC', 'EDQUOT']
const mostCauses = 8

/** Whether an error came from a full disk of this machine, wherever that stands in the chain of causes. */
export function isDiskFull(error: unknown): boolean {
  let cause = error
  for (let depth = 0; depth < mostCauses && cause instanceof Error; depth++) {
    if ('code' in cause && codes.includes(String(cause.code))) return true
    cause = cause.cause
  }
  return false
}
