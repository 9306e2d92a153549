import openapiTypescript, { astToString } from 'openapi-typescript'
// TypeScript 5, since openapi-typescript uses an API that TypeScript 7 does not have.
import ts from 'typescript'

/** Whether a member says nothing: headers of any name, and of a path its missing methods and parameters. */
function saysNothing(node: ts.Node, isInPath: boolean): boolean {
  if (!ts.isPropertySignature(node) || !node.type) return false
  if (ts.isTypeLiteralNode(node.type)) return node.type.members.every((one) => ts.isIndexSignatureDeclaration(one))
  return isInPath && node.type.kind === ts.SyntaxKind.NeverKeyword
}

/** Removes such members. The parameters that an operation does not have stay, since they refuse any that is sent. */
const trim: ts.TransformerFactory<ts.Node> = (context) => (root) => {
  const isInPath = ts.isInterfaceDeclaration(root) && root.name.text === 'paths'
  const visit = (node: ts.Node): ts.Node | undefined => {
    const rest = ts.visitEachChild(node, visit, context)
    return saysNothing(rest, isInPath) ? undefined : rest
  }
  return ts.visitEachChild(root, visit, context)
}

/**
 * The types that openapi-typescript generates for an OpenAPI document, with `Blob` for bytes. Without examples, which are
 * read at /developers/reference, without summaries, with which the descriptions begin, and without members that say
 * nothing: they would be half of the lines.
 */
export async function clientTypes(document: object): Promise<string> {
  const shortened = JSON.stringify(document, (name, value: unknown) =>
    // A field called `summary` would be an object here.
    name === 'example' || (name === 'summary' && typeof value === 'string') ? undefined : value,
  )
  const nodes = await openapiTypescript(shortened, {
    transform: (schema) => ('contentMediaType' in schema ? ts.factory.createTypeReferenceNode('Blob') : undefined),
  })
  const { transformed } = ts.transform(nodes, [trim])
  return `// Generated from /api/openapi.json by \`pnpm docs:generate\`; do not edit.\n\n${astToString(transformed)}`
}
