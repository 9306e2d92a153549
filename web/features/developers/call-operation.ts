import { indentJson } from '../../lib/format.ts'
import { isWebhook, type Operation } from './openapi-document.ts'

/** The entered parameters by name, and the JSON body. */
export type CallInput = { values: Record<string, string>; body: string }
export type CallResult = { status: number; text: string }

/** Whether the reference can make the call: only with a JSON body or none, not with form data or file chunks. */
export const canCall = ({ method, path, requestBody }: Operation): boolean =>
  !isWebhook({ path }) &&
  method !== 'HEAD' &&
  method !== 'OPTIONS' &&
  (!requestBody || 'application/json' in requestBody.content)

function pathOf({ path, parameters }: Operation, { values }: CallInput): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(values[name] ?? ''))
  const query = new URLSearchParams(
    parameters.flatMap(({ name, in: where }) => (where === 'query' && values[name] ? [[name, values[name]]] : [])),
  ).toString()
  return query === '' ? filled : `${filled}?${query}`
}

/** Makes a call with an API key and without the reader's session cookie. */
export async function callOperation(
  operation: Operation,
  input: CallInput,
  { key, requestId }: { key: string; requestId: string },
): Promise<CallResult> {
  const isRepeatable = operation.parameters.some(({ name }) => name === 'Idempotency-Key')
  const response = await fetch(pathOf(operation, input), {
    method: operation.method,
    credentials: 'omit',
    headers: {
      authorization: `Bearer ${key}`,
      ...(operation.requestBody ? { 'content-type': 'application/json' } : {}),
      ...(isRepeatable ? { 'idempotency-key': requestId } : {}),
    },
    ...(operation.requestBody ? { body: input.body } : {}),
  })
  const isText = /json|text/.test(response.headers.get('content-type') ?? 'text')
  const text = isText ? await response.text() : `(${response.headers.get('content-type')})`
  return { status: response.status, text: indentJson(text) }
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** The call as a curl command, with the key in an environment variable. */
export function curlOf(operation: Operation, input: CallInput, origin: string): string {
  return [
    `curl -X ${operation.method}`,
    `-H "Authorization: Bearer $FLASHSHEET_KEY"`,
    ...(operation.requestBody ? [`-H 'Content-Type: application/json'`, `-d ${quoted(input.body)}`] : []),
    quoted(origin + pathOf(operation, input)),
  ].join(' \\\n  ')
}
