import { resolveSchema, typeName, type JsonSchema, type OpenApiDocument } from './openapi-document.ts'
import text from '../../ui/text.module.css'
import { classes } from '../../ui/classes.ts'
import layout from '../../ui/layout.module.css'
import styles from './reference.module.css'

type Props = { document: OpenApiDocument; schema: JsonSchema; label: string }

/** The fields of a schema with their types. Nested objects expand one level at a time. */
export function SchemaFields({ document, schema: schemaOrRef, label }: Props) {
  const { schema } = resolveSchema(document, schemaOrRef)
  const inner = schema.items ? resolveSchema(document, schema.items).schema : schema
  const fields = Object.entries(inner.properties ?? {})
  if (fields.length === 0) return <p className={text['note']}>{typeName(document, schemaOrRef)}</p>
  return (
    <>
      <p className={text['note']}>{typeName(document, schemaOrRef)}</p>
      <ul className={classes(layout['stack-2'], styles['fields'])} aria-label={label}>
        {fields.map(([name, field]) => (
          <li key={name}>
            <code className={text['strong']}>{name}</code>{' '}
            <span className={text['note']}>
              {typeName(document, field)}
              {inner.required?.includes(name) ? '' : ', optional'}
              {limitText(field)}
            </span>
            {field.description && <p className={text['note']}>{field.description}</p>}
            <NestedFields document={document} field={field} name={name} />
          </li>
        ))}
      </ul>
    </>
  )
}

/** A nested object. It is rendered when it is expanded, because schemas may be recursive. */
function NestedFields({ document, field, name }: { document: OpenApiDocument; field: JsonSchema; name: string }) {
  const { schema } = resolveSchema(document, field)
  const options = [schema, ...(schema.anyOf ?? schema.oneOf ?? [])].map((one) => resolveSchema(document, one).schema)
  const candidates = options.map((one) => (one.items ? resolveSchema(document, one.items).schema : one))
  const object = candidates.find((one) => Object.keys(one.properties ?? {}).length > 0)
  if (!object) return null
  return (
    <details className={styles['within']}>
      <summary>Fields of {name}</summary>
      <SchemaFields document={document} schema={object} label={name} />
    </details>
  )
}

function limitText({ minLength, maxLength, minimum, maximum, multipleOf, maxItems }: JsonSchema): string {
  return [
    minLength !== undefined && minLength > 0 && `at least ${minLength} characters`,
    maxLength !== undefined && `at most ${maxLength} characters`,
    minimum !== undefined && `at least ${minimum}`,
    maximum !== undefined && `at most ${maximum}`,
    multipleOf !== undefined && `a multiple of ${multipleOf}`,
    maxItems !== undefined && `at most ${maxItems} of them`,
  ]
    .filter((one) => one !== false)
    .map((one) => `, ${one}`)
    .join('')
}
