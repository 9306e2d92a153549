import { graphCode, graphVerdict, readGraphFailure } from '../meta-errors.ts'
import { type Classified, record, textOf, type Refusal, type Verdict, withoutCode } from '../refusal.ts'

/** Facebook's error table: Graph codes (docs/networks/facebook.md) and the upload hosts' `debug_info`. */
export function classifyFacebook(refusal: Refusal): Classified {
  const failure = readGraphFailure(refusal.body)
  if (failure) {
    const verdict = graphVerdict('facebook', failure, refusal)
    return { code: graphCode(failure), verdict, cause: new Error(failure.title, { cause: failure.data }) }
  }
  const debug = record(refusal.body['debug_info'])
  if (!debug) return withoutCode(refusal)
  return { code: textOf(debug['type']), verdict: uploadVerdict(debug), cause: new Error(textOf(debug['message'])) }
}

function uploadVerdict(debug: Record<string, unknown>): Verdict {
  const type = debug['type']
  // The adapter asks for the upload's offset and resumes there.
  if (type === 'OffsetInvalidError' || type === 'PartialRequestError') return { class: 'retry' }
  if (type === 'ProcessingFailedError') return { class: 'permanent' }
  return { class: debug['retriable'] === true ? 'retry' : 'permanent' }
}
