import openapiTypescript, { astToString } from 'openapi-typescript'
// TypeScript 5: openapi-typescript makes its types with the API that TypeScript 7 no longer has.
import ts from 'typescript'

/** The types of an OpenAPI document, as openapi-typescript writes them; bytes are a `Blob`. */
export async function clientTypes(document: object): Promise<string> {
  const nodes = await openapiTypescript(JSON.stringify(document), {
    transform: (schema) =>
      'contentMediaType' in schema
        ? ts.factory.createTypeReferenceNode(ts.factory.createIdentifier('Blob'))
        : undefined,
  })
  return `// Generated from /api/openapi.json by \`pnpm docs:generate\`; do not edit.\n\n${astToString(nodes)}`
}
