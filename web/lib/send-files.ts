import { newUuid } from './uuid.ts'

/** The time for the answer after the last byte. */
export const answerMs = 180_000
/** A slow phone connection. An upload that is slower fails in the end, since its connection may be lost. */
const slowestBytesPerSecond = 20_000

/**
 * Sends files in one form. A repeat with the same request id stores them once. Returns the JSON of the answer. Throws
 * the error body of a refusal, or the error of the call.
 */
export async function sendFiles(
  path: string,
  field: string,
  files: readonly File[],
  requestId: string = newUuid(),
): Promise<unknown> {
  const form = new FormData()
  for (const file of files) form.append(field, file)
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'idempotency-key': requestId },
    body: form,
    signal: AbortSignal.timeout(answerMs + Math.ceil((bytes / slowestBytesPerSecond) * 1000)),
  })
  const body: unknown = await response.json().catch(() => ({}))
  if (!response.ok) throw body
  return body
}
