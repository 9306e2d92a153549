import type { Answer } from './answers.ts'

/** Normalises text for comparison: lower case, without accents and punctuation. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

const small = new Set([
  'a',
  'an',
  'and',
  'are',
  'be',
  'can',
  'do',
  'does',
  'for',
  'how',
  'i',
  'if',
  'in',
  'is',
  'it',
  'me',
  'my',
  'of',
  'on',
  'or',
  'the',
  'to',
  'what',
  'when',
  'why',
  'with',
])

/** The score of an answer for a word. A match in the question counts more than one in `also`, and that more than one in the text. */
function fit(answer: Answer, word: string): number {
  const begins = (text: string) =>
    plain(text)
      .split(' ')
      .some((part) => part.startsWith(word))
  if (begins(answer.question)) return 4
  if (begins(answer.also ?? '')) return 3
  return begins(answer.answer.join(' ')) ? 1 : 0
}

/** Answers that contain every significant search word as the beginning of a word, best score first, then the shorter question. All without a search. */
export function searchAnswers(answers: readonly Answer[], asked: string): readonly Answer[] {
  const all = plain(asked).split(' ').filter(Boolean)
  const telling = all.filter((word) => !small.has(word))
  const words = telling.length > 0 ? telling : all
  if (words.length === 0) return answers
  return answers
    .map((answer) => ({ answer, fits: words.map((word) => fit(answer, word)) }))
    .filter(({ fits }) => fits.every((one) => one > 0))
    .sort((a, b) => sum(b.fits) - sum(a.fits) || a.answer.question.length - b.answer.question.length)
    .map(({ answer }) => answer)
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
