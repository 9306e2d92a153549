import type { NetworkError } from '../adapter.ts'
import { GraphCause, graphCode, graphVerdict, readGraphFailure } from '../meta-errors.ts'
import { byStatus, networkError, record, textOf, type Refusal, type Verdict } from '../refusal.ts'

/** Facebook's error table: Graph codes (docs/networks/facebook.md) and the upload hosts' `debug_info`. */
export function classifyFacebook(refusal: Refusal): NetworkError {
  const failure = readGraphFailure(refusal.body)
  if (failure) {
    return networkError(
      'facebook',
      graphCode(failure),
      graphVerdict('facebook', failure, refusal),
      refusal.irreversible,
      new GraphCause(failure),
    )
  }
  const debug = record(record(refusal.body)?.['debug_info'])
  if (debug)
    return networkError(
      'facebook',
      textOf(debug['type']),
      uploadVerdict(debug),
      refusal.irreversible,
      new Error(textOf(debug['message'])),
    )
  return networkError('facebook', `http_${refusal.status}`, byStatus(refusal.status), refusal.irreversible)
}

function uploadVerdict(debug: Record<string, unknown>): Verdict {
  const type = debug['type']
  // The adapter asks for the upload's offset and resumes there.
  if (type === 'OffsetInvalidError' || type === 'PartialRequestError') return { class: 'retry' }
  if (type === 'ProcessingFailedError') return { class: 'permanent' }
  return { class: debug['retriable'] === true ? 'retry' : 'permanent' }
}
