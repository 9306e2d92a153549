import { failureOf, type Failure } from '../../../lib/failure.ts'
import { createListeners } from '../../../ui/listeners.ts'

/** The state of a submission. `uploading`: the last files are being uploaded. */
export type Submission = { stage: 'idle' | 'uploading' | 'sending'; failure: Failure | null }

const idle: Submission = { stage: 'idle', failure: null }
const running = new Map<string, Submission>()
const { subscribe, notify } = createListeners()

/** The submission of one user; it continues when the screen is left. */
export function submissionOf(userId: string): Submission {
  return running.get(userId) ?? idle
}

export const subscribeToSubmissions = subscribe

export function setSubmission(userId: string, submission: Submission): void {
  running.set(userId, submission)
  notify()
}

/** Clears the failure of the last submission. */
export function clearFailure(userId: string): void {
  if (submissionOf(userId).failure) setSubmission(userId, idle)
}

/** An error whose message is written for the artist. */
export class UserFacingError extends Error {}

export const submissionFailure = (error: unknown, fallback: string): Failure =>
  error instanceof UserFacingError ? { message: error.message, code: 'invalid' } : failureOf(error, fallback)
