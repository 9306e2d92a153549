declare global {
  /** Kept by public/theme.js from the first moment on. */
  var __earlySubmit: { form: HTMLFormElement | null; pressed: HTMLElement | null; waking: boolean; over: boolean } | undefined
}

/** What was typed, filled in or ticked before the page woke up, by its field. */
let typedEarly: [field: HTMLInputElement | HTMLTextAreaElement, typed: string][] = []
let tickedEarly: HTMLInputElement[] = []

/** Takes what is typed and ticked out of the fields, so that React finds them as they were made at build. */
export function keepTyped(root: HTMLElement): void {
  // From here on React keeps presses by itself.
  if (globalThis.__earlySubmit) globalThis.__earlySubmit.waking = true
  const fields = [...root.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input:not([type=checkbox], [type=radio], [type=file]), textarea')]
  typedEarly = fields.filter((field) => field.value !== field.defaultValue).map((field) => [field, field.value])
  for (const [field] of typedEarly) field.value = field.defaultValue
  const ticks = [...root.querySelectorAll<HTMLInputElement>('input:is([type=checkbox], [type=radio])')].filter((field) => field.checked !== field.defaultChecked)
  // A radio button that was left is left again when another one is pressed.
  tickedEarly = ticks.filter((field) => field.type === 'checkbox' || field.checked)
  for (const field of ticks) field.checked = field.defaultChecked
}

/** Types and ticks it again, once React listens, presses the button that was pressed last, and sends the form if that was asked for already. */
export function giveBackTyped(): void {
  for (const [field, typed] of typedEarly.splice(0)) {
    if (!field.isConnected) continue
    const prototype = field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype
    // The field's own setter, not React's: React must see the change as one a person made.
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, typed)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  for (const field of tickedEarly.splice(0)) if (field.isConnected) field.click()
  letFormsGo()
}

/** The page is awake: forms are its own again. */
export function letFormsGo(): void {
  const waiting = globalThis.__earlySubmit
  if (!waiting || waiting.over) return
  waiting.over = true
  if (waiting.pressed?.isConnected) waiting.pressed.click()
  // What was typed must have reached the form's state by then.
  if (waiting.form?.isConnected) setTimeout(() => waiting.form?.requestSubmit())
}
