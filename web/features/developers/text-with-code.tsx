/** Renders a text of the OpenAPI document, with text in backticks as code. */
export function MarkedWords({ children }: { children: string }) {
  return children.split('`').map((part, at) =>
    // The parts never change their order, so the index is a stable key.
    // oxlint-disable-next-line react/no-array-index-key
    at % 2 === 1 ? <code key={at}>{part}</code> : part,
  )
}
