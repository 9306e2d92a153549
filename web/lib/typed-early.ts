declare global {
  /** Kept by public/theme.js from the first moment on. */
  var __earlySubmit: { form: HTMLFormElement | null; over: boolean } | undefined
}

/** What was typed or filled in before the page woke up, by its field. */
let early: [field: HTMLInputElement | HTMLTextAreaElement, typed: string][] = []

/** Takes what is typed out of the fields, so that React finds them as they were made at build. */
export function keepTyped(root: HTMLElement): void {
  const fields = [...root.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input:not([type=checkbox], [type=radio], [type=file]), textarea')]
  early = fields.filter((field) => field.value !== field.defaultValue).map((field) => [field, field.value])
  for (const [field] of early) field.value = field.defaultValue
}

/** Types it again, once React listens, and sends the form if that was asked for already. */
export function giveBackTyped(): void {
  for (const [field, typed] of early.splice(0)) {
    if (!field.isConnected) continue
    const prototype = field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype
    // The field's own setter, not React's: React must see the change as one a person made.
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, typed)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  letFormsGo()
}

/** The page is awake: forms are its own again. */
export function letFormsGo(): void {
  const waiting = globalThis.__earlySubmit
  if (!waiting || waiting.over) return
  waiting.over = true
  // What was typed must have reached the form's state by then.
  if (waiting.form?.isConnected) setTimeout(() => waiting.form?.requestSubmit())
}
