/** A sentence of the OpenAPI document: what stands in backticks is code. */
export function MarkedWords({ children }: { children: string }) {
  return children.split('`').map((part, at) =>
    // The same words in the same order each time, so a place is as good as a name.
    // oxlint-disable-next-line react/no-array-index-key
    at % 2 === 1 ? <code key={at}>{part}</code> : part,
  )
}
