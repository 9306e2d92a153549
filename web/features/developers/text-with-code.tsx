/** Renders a text of the OpenAPI document, with the parts in backticks as code. */
export function TextWithCode({ children }: { children: string }) {
  return children.split('`').map((part, index) =>
    // The parts never change their order, so the index is a stable key.
    index % 2 === 1 ? <code key={index}>{part}</code> : part,
  )
}
