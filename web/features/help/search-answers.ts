import type { Answer } from './answers.ts'

/** Normalises text for comparison: lower case, without accents and punctuation. */
function normalised(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

const stopWords = 'a an and are be can do does for how i if in is it me my of on or the to what when why with'.split(
  ' ',
)

/** The score of an answer for a word: highest in the question, then in `also`, then in the text; 0 without a match. */
function scoreOf(answer: Answer, word: string): number {
  const hasWordWith = (text: string) =>
    normalised(text)
      .split(' ')
      .some((part) => part.startsWith(word))
  if (hasWordWith(answer.question)) return 4
  if (hasWordWith(answer.also ?? '')) return 3
  return hasWordWith(answer.answer.join(' ')) ? 1 : 0
}

/**
 * Answers in which every significant word of the query is the beginning of a word. The best score comes first, then the shorter question.
 * An empty query returns all answers.
 */
export function searchAnswers(answers: readonly Answer[], query: string): readonly Answer[] {
  const all = normalised(query).split(' ').filter(Boolean)
  const significant = all.filter((word) => !stopWords.includes(word))
  const words = significant.length > 0 ? significant : all
  if (words.length === 0) return answers
  return answers
    .map((answer) => ({ answer, scores: words.map((word) => scoreOf(answer, word)) }))
    .filter(({ scores }) => scores.every((one) => one > 0))
    .sort((a, b) => sum(b.scores) - sum(a.scores) || a.answer.question.length - b.answer.question.length)
    .map(({ answer }) => answer)
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
