import openapiTypescript, { astToString } from 'openapi-typescript'
// TypeScript 5, since openapi-typescript uses an API that TypeScript 7 does not have.
import ts from 'typescript'

/**
 * The types that openapi-typescript generates for an OpenAPI document, with `Blob` for bytes. Without its examples, which
 * would be a quarter of the lines and are read at /developers/reference.
 */
export async function clientTypes(document: object): Promise<string> {
  const withoutExamples = JSON.stringify(document, (name, value: unknown) => (name === 'example' ? undefined : value))
  const nodes = await openapiTypescript(withoutExamples, {
    transform: (schema) =>
      'contentMediaType' in schema
        ? ts.factory.createTypeReferenceNode(ts.factory.createIdentifier('Blob'))
        : undefined,
  })
  return `// Generated from /api/openapi.json by \`pnpm docs:generate\`; do not edit.\n\n${astToString(nodes)}`
}
