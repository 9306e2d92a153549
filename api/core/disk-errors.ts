/** Whether an error or one of its causes is an error of the system that `matches`. */
function hasSystemError(error: unknown, matches: (error: NodeJS.ErrnoException) => boolean): boolean {
  for (let e = error; e instanceof Error; e = e.cause) if (matches(e)) return true
  return false
}

/** The disk is full, or the quota of the system user is. */
const fullCodes = ['ENOSPC', 'EDQUOT']

/** Whether an error, or one of its causes, is a full disk of this machine. */
export const isDiskFull = (error: unknown): boolean =>
  hasSystemError(error, ({ code }) => fullCodes.includes(code ?? ''))

/** The disk is read-only, as Linux mounts it after errors, or fails. */
const failureCodes = ['EROFS', 'EIO']

/** Whether an error, or one of its causes, is a disk of this machine that cannot be written or read. */
export const isDiskUnavailable = (error: unknown): boolean =>
  // Node's recursive mkdir reports a read-only disk as ENOENT.
  hasSystemError(
    error,
    ({ code, syscall }) => failureCodes.includes(code ?? '') || (code === 'ENOENT' && syscall === 'mkdir'),
  )
