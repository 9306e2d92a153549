import { useState } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { canCall } from './call-operation.ts'
import { CodeBlock } from './code-block.tsx'
import { TextWithCode } from './text-with-code.tsx'
import type { OpenApiDocument, Operation } from './openapi-document.ts'
import text from '../../ui/text.module.css'
import layout from '../../ui/layout.module.css'
import { classes } from '../../ui/classes.ts'
import styles from './reference.module.css'
import { SchemaFields } from './schema-fields.tsx'
import { TryOperation } from './try-operation.tsx'

type Props = { document: OpenApiDocument; operation: Operation; apiKey: string }

/** One operation: a row that expands to its parameters, bodies and responses. */
export function OperationItem({ document, operation, apiKey }: Props) {
  const { operationId, method, path, summary } = operation
  const [isOpen, setOpen] = useState(() => location.hash === `#${operationId}`)
  return (
    <details
      id={operationId}
      className={styles['operation']}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className={classes(layout['stack-1'], styles['summary'])}>
        <span className={layout['line-3']}>
          <Badge
            tone={method === 'GET' || method === 'HEAD' ? 'scheduled' : method === 'DELETE' ? 'danger' : 'success'}
          >
            {method}
          </Badge>
          <code className={classes(text['strong'], text['breakable'])}>{path}</code>
        </span>
        <span className={text['note']}>{summary.replaceAll('`', '')}</span>
      </summary>
      {isOpen && <Detail document={document} operation={operation} apiKey={apiKey} />}
    </details>
  )
}

function Detail({ document, operation, apiKey }: Props) {
  const { description, parameters, requestBody, responses } = operation
  return (
    <div className={classes(layout['stack-5'], styles['detail'])}>
      {description !== undefined && (
        <p>
          <TextWithCode>{description}</TextWithCode>
        </p>
      )}
      {parameters.length > 0 && (
        <section>
          <h3>Parameters</h3>
          <ul className={classes(layout['stack-2'], styles['fields'])}>
            {parameters.map(({ name, in: where, required, description: words, example }) => (
              <li key={name}>
                <code className={text['strong']}>{name}</code>{' '}
                <span className={text['note']}>
                  in the {where}
                  {required ? '' : ', optional'}
                </span>
                {example !== undefined && (
                  <span className={text['note']}>
                    , such as <code>{example}</code>
                  </span>
                )}
                {words && (
                  <p className={text['note']}>
                    <TextWithCode>{words}</TextWithCode>
                  </p>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {Object.entries(requestBody?.content ?? {}).map(([type, { schema, example }]) => (
        <section key={type}>
          <h3>
            Body, <code>{type}</code>
          </h3>
          {schema && <SchemaFields document={document} schema={schema} label="Body" />}
          <Example label={`Example of a body for ${operation.operationId}`} value={example} />
        </section>
      ))}
      {Object.entries(responses).map(([status, { description: words, content }]) => {
        const { schema, example } = (Number(status) < 400 ? content?.['application/json'] : undefined) ?? {}
        return (
          <section key={status}>
            <h3>
              <code>{status}</code>
            </h3>
            <p className={text['note']}>
              <TextWithCode>{words}</TextWithCode>
            </p>
            {schema && <SchemaFields document={document} schema={schema} label={`Answer ${status}`} />}
            <Example label={`Example of what ${operation.operationId} answers`} value={example} />
          </section>
        )
      })}
      {canCall(operation) && (
        <section>
          <h3>Try it</h3>
          <TryOperation document={document} operation={operation} apiKey={apiKey} />
        </section>
      )}
    </div>
  )
}

/** An example body; nothing without one. */
function Example({ label, value }: { label: string; value: unknown }) {
  if (value === undefined) return null
  return (
    <div className={styles['example']}>
      <CodeBlock label={label}>{JSON.stringify(value, null, 2)}</CodeBlock>
    </div>
  )
}
