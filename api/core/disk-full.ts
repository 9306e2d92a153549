/** The disk is full, or the quota of the system user is. */
const codes = ['ENOSPC', 'EDQUOT']

/** Whether an error, or one of its causes, is a full disk of this machine. */
export function isDiskFull(error: unknown): boolean {
  for (let e = error; e instanceof Error; e = e.cause) if ('code' in e && codes.includes(String(e.code))) return true
  return false
}
