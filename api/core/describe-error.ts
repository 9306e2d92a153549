/** An error as the log and the queue store it: where and how it failed, never the values. */
type ErrorRecord = {
  type: string
  message: string
  stack?: string
  /** The statement that failed, with its placeholders. */
  query?: string
  cause?: ErrorRecord
  errors?: ErrorRecord[]
} & Record<string, unknown>

/** Members that describe the failure and cannot contain user input. Only primitive values are taken. */
const safeMembers = [
  'code',
  'errno',
  'syscall',
  'address',
  'port',
  'kind',
  'class',
  'status',
  'statusCode',
  'responseCode',
  'severity',
  'routine',
  'schema_name',
  'table_name',
  'column_name',
  'constraint_name',
  'schema',
  'table',
  'column',
  'constraint',
  'requestId',
] as const

/**
 * SQLSTATE classes whose messages name only parts of the schema or states of the server. Messages of all others (bad data,
 * errors of triggers) may contain values.
 */
const safeSqlStates = /^(?:08|0A|23|25|26|28|3D|3F|40|42|53|54|55|57|58|XX)/

/** Deeper causes are left out. */
const maxCauses = 6

const maxQueryLength = 600
const valuesLeftOut = 'values left out'

/**
 * Serializes errors for the log (`err`) and for the output of a failed job. The error of a failed statement has its values,
 * such as whole mails with their links, in its message, stack, members and cause. Only the statement with placeholders is
 * taken, and the parts of Postgres's answer without values.
 */
export function describeError(error: unknown, depth = 0): ErrorRecord {
  if (!(error instanceof Error))
    return { type: typeof error, message: typeof error === 'string' ? error : 'something that is no error was thrown' }
  const members = error as unknown as Record<string, unknown>
  const query = typeof members['query'] === 'string' ? members['query'] : undefined
  const record: ErrorRecord = { type: error.constructor.name, message: messageOf(error, members, query) }
  const frames = framesOf(error)
  if (frames) record.stack = `${record.type}: ${record.message}\n${frames}`
  if (query !== undefined) record.query = query.replaceAll(/'(?:[^']|'')*'/g, "'…'").slice(0, maxQueryLength)
  for (const name of safeMembers) {
    const value = members[name]
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') record[name] = value
  }
  if (depth < maxCauses) {
    if (error.cause !== undefined) record.cause = describeError(error.cause, depth + 1)
    if (error instanceof AggregateError) record.errors = error.errors.map((one) => describeError(one, depth + 1))
  }
  return record
}

/** An error and its causes in one line. */
export function errorLine(error: unknown): string {
  const parts: string[] = []
  for (let record: ErrorRecord | undefined = describeError(error); record; record = record.cause)
    parts.push(record.message)
  return parts.join(': ')
}

function messageOf(error: Error, members: Record<string, unknown>, query: string | undefined): string {
  if (typeof members['severity'] === 'string' && typeof members['code'] === 'string') {
    return safeSqlStates.test(members['code']) ? error.message : `SQLSTATE ${members['code']} (${valuesLeftOut})`
  }
  // Drizzle's message is the statement with all of its values.
  if (query !== undefined) return `a statement failed (${valuesLeftOut})`
  return error.message
}

/** The stack frames. The lines before them repeat the message, which may be long and may look like frames. */
function framesOf(error: Error): string {
  const stack = error.stack ?? ''
  const at = error.message === '' ? 0 : stack.indexOf(error.message)
  if (at < 0) return ''
  return stack
    .slice(at + error.message.length)
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .join('\n')
}
