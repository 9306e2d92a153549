import { failureOf } from './failure.ts'

/**
 * The callbacks of a mutation that deletes something. What is not found is deleted: by another window, or by this very
 * request, which browsers send again when the connection breaks before its answer.
 */
export const deletionHandlers = <T>(onDeleted: (answer?: T) => unknown, onFailed: (error: unknown) => unknown) => ({
  onSuccess: (answer: T) => onDeleted(answer),
  onError: (error: unknown) => (failureOf(error, '').code === 'notFound' ? onDeleted() : onFailed(error)),
})
