import { z } from 'zod'
import type { Answer, RestRow } from '../core/rest.ts'
import { responseShapes } from './response-shapes.ts'
import { pathDescriptions } from './path-descriptions.ts'

export const nameOf = ({ method, path }: RestRow) => `${method} ${path}`

const isSchema = (answer: Answer): answer is z.ZodType => 'safeParse' in answer

/** The contract of a JSON answer. */
export const jsonOf = (answer: Answer): z.ZodType | undefined =>
  isSchema(answer) ? answer : 'json' in answer ? answer.json : undefined

export const statusOf = ({ answer, status = 200 }: RestRow): number => (isSchema(answer) ? status : answer.status)

export const shapeNames = new Map(Object.entries(responseShapes).map(([name, shape]) => [shape, name]))

function describeShape(contract: z.ZodType): string {
  if (contract instanceof z.ZodArray) {
    const element = describeShape(contract.element as z.ZodType)
    return element && `a list of ${element}`
  }
  const name = shapeNames.get(contract)
  return name === undefined ? '' : `\`${name}\``
}

/** The description of a row in the documents: its entry in `pathDescriptions`, completed from its contract. */
export function descriptionOf(row: RestRow): { does: string; method: string; takes?: string; answers: string } {
  const found = pathDescriptions[nameOf(row)] ?? ''
  const words = typeof found === 'string' ? { does: found } : found
  const contract = jsonOf(row.answer)
  const isEmpty = 'is' in row.answer && row.answer.is === 'nothing'
  const answered = contract ? describeShape(contract) : isEmpty ? String(statusOf(row)) : ''
  return {
    method: row.method,
    ...(row.takes === 'nothing' ? { takes: 'nothing' } : {}),
    ...words,
    answers: `${answered}${words.answers ?? ''}` || 'the bytes, with ranges and an ETag',
  }
}
