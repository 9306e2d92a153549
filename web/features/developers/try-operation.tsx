import { useState } from 'react'
import { failureOf } from '../../lib/failure.ts'
import { newUuid } from '../../lib/uuid.ts'
import { Alert } from '../../ui/alert.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Form } from '../../ui/form.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { callOperation, curlOf, type CallResult } from './call-operation.ts'
import { CodeBlock } from './code-block.tsx'
import { exampleOf, type OpenApiDocument, type Operation } from './openapi-document.ts'
import text from '../../ui/text.module.css'
import layout from '../../ui/layout.module.css'
import styles from './reference.module.css'

type Props = { document: OpenApiDocument; operation: Operation; apiKey: string }
type Outcome = { result: CallResult } | { failure: string }

/** A form that makes the call with the reader's own key and shows the response. */
export function TryOperation({ document, operation, apiKey }: Props) {
  const parameters = operation.parameters.filter(({ in: where }) => where !== 'header')
  const schema = operation.requestBody?.content['application/json']?.schema
  const [values, setValues] = useState<Record<string, string>>({})
  const [body, setBody] = useState(() => (schema ? JSON.stringify(exampleOf(document, schema), null, 2) : ''))
  const [isSending, setSending] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const missing = parameters.filter(({ name, required }) => required && !values[name]?.trim())
  const input = { values, body }
  const send = async () => {
    setSending(true)
    try {
      setOutcome({ result: await callOperation(operation, input, { key: apiKey, requestId: newUuid() }) })
    } catch (error) {
      const { message, detail } = failureOf(error, 'The call failed.')
      setOutcome({ failure: detail ?? message })
    } finally {
      setSending(false)
    }
  }
  return (
    <Form
      aria-label={`Try ${operation.method} ${operation.path}`}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isSending && apiKey !== '' && missing.length === 0) void send()
      }}
    >
      {parameters.map(({ name, required }) => (
        <TextField
          key={name}
          label={required ? name : `${name} (optional)`}
          value={values[name] ?? ''}
          onChange={(value) => setValues({ ...values, [name]: value })}
          autoComplete="off"
        />
      ))}
      {schema && <TextArea label="Body, in JSON" value={body} onChange={setBody} />}
      {operation.method !== 'GET' && (
        <Alert tone="warning">This is a real call: it changes the data of the key’s artist.</Alert>
      )}
      <div className={layout['row-3']}>
        <Button type="submit" variant="primary" pending={isSending} isDisabled={apiKey === '' || missing.length > 0}>
          Send
        </Button>
        {apiKey === '' && <span className={text['note']}>Put your key in at the top first.</span>}
      </div>
      <CodeBlock label={`${operation.operationId}, by curl`}>{curlOf(operation, input, location.origin)}</CodeBlock>
      {outcome && 'failure' in outcome && <Alert tone="danger" live title={outcome.failure} />}
      {outcome && 'result' in outcome && (
        <div>
          <output className={styles['status']}>
            <Badge tone={outcome.result.status < 400 ? 'success' : 'danger'}>{String(outcome.result.status)}</Badge>
          </output>
          {outcome.result.text !== '' && (
            <CodeBlock label={`Answer of ${operation.operationId}`}>{outcome.result.text}</CodeBlock>
          )}
        </div>
      )}
    </Form>
  )
}
