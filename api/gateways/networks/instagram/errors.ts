import { graphCode, graphVerdict, readGraphFailure, type GraphFailure } from '../meta-errors.ts'
import { byStatus, type Classified, textOf, type Refusal, type Verdict, withoutCode } from '../refusal.ts'

const newContainer: Verdict = { class: 'retry', idsLapsed: true }
const notFetched: Verdict = { ...newContainer, sentence: 'Instagram could not fetch the file from us. We try again.' }

/** Instagram's own subcodes (docs/networks/instagram.md); they are more specific than the code. */
const bySubcode: Record<number, Verdict> = {
  2207001: { class: 'retry' },
  2207003: notFetched,
  2207004: { class: 'permanent', sentence: 'The picture is larger than 8 MB.' },
  2207005: { class: 'permanent', sentence: 'The picture has a format Instagram does not take.' },
  2207006: { class: 'reconnect' },
  // The container may only be delayed, so the adapter retries with it before it makes a new one.
  2207008: { class: 'retry' },
  2207009: { class: 'permanent', sentence: 'The picture is too tall or too wide: Instagram takes 4:5 to 1.91:1.' },
  2207010: { class: 'permanent', sentence: 'The caption is too long.' },
  2207020: newContainer,
  2207023: { class: 'permanent' },
  2207026: { class: 'permanent', sentence: 'The video has a format Instagram does not take.' },
  2207027: { class: 'retry' },
  2207028: { class: 'permanent', sentence: 'A carousel takes 2 to 10 pictures.' },
  2207032: { class: 'retry' },
  2207040: { class: 'permanent', sentence: 'A caption may name at most 20 people.' },
  2207050: {
    class: 'reconnect',
    sentence: 'Instagram has restricted this account. Log in at Instagram, then connect again.',
  },
  2207052: notFetched,
  2207053: newContainer,
  2207057: { class: 'permanent' },
  2207077: notFetched,
  2207081: { class: 'permanent' },
  2207082: { class: 'retry' },
}

/** Instagram's error table, with the Graph codes as fallback. */
export function classifyInstagram(refusal: Refusal): Classified {
  const failure = readGraphFailure(refusal.body)
  if (failure) {
    const verdict = instagramVerdict(failure, refusal)
    return { code: graphCode(failure), verdict, cause: new Error(failure.title) }
  }
  // The code exchange (api.instagram.com) returns errors in another shape.
  const code = textOf(refusal.body['error_type'])
  if (!code) return withoutCode(refusal)
  return { code, verdict: byStatus(refusal.status), cause: new Error(textOf(refusal.body['error_message'])) }
}

function instagramVerdict(failure: GraphFailure, refusal: Refusal): Verdict {
  const { subcode } = failure
  const later = (hours: number): Verdict => ({
    class: 'later',
    retryAt: new Date(refusal.now.getTime() + hours * 3_600_000),
  })
  // Instagram has answered "blocked as spam" for posts that were live, so only confirm may decide.
  if (subcode === 2207051) return refusal.irreversible ? { class: 'unknown' } : later(1)
  if (subcode === 2207042) return later(1)
  const own = subcode === undefined ? undefined : bySubcode[subcode]
  if (own) return own.class === 'permanent' ? { ...own, sentence: failure.userMessage ?? own.sentence } : own
  // Internal errors, whatever the subcode.
  if (failure.code === -1 || failure.code === -2) return { class: 'retry' }
  return graphVerdict('instagram', failure, refusal)
}

/** The error of a failed container: its `status` text contains the subcode. */
export function instagramStatusVerdict(status: string): Verdict {
  const subcode = Number(/\b(2207\d{3})\b/.exec(status)?.[1])
  const known = bySubcode[subcode]
  // A failed container never recovers: a retry needs a new one.
  return known ? { ...known, idsLapsed: true } : newContainer
}
