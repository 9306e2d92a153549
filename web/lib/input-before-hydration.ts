declare global {
  /** Kept by public/theme.js from the first moment on. */
  var __earlySubmit:
    | { form: HTMLFormElement | null; pressed: HTMLElement | null; waking: boolean; over: boolean }
    | undefined
}

type TextField = HTMLInputElement | HTMLTextAreaElement

/** Every field of the page: what stood in it at build, and what was typed or filled in before hydration. */
let typedEarly: { field: TextField; made: string; typed: string }[] = []
/** What stands in a field that was typed in since then, and before React has it. */
const typedSince = new Map<EventTarget | null, string>()
let tickedEarly: HTMLInputElement[] = []
let stopListening = () => {}

/** The whole of what a person typed: what was typed since stands behind what was taken out, where it was typed on. */
export function wholeText({ made, typed }: { made: string; typed: string }, since: string): string {
  if (typed === made) return since
  return since.startsWith(made) ? typed + since.slice(made.length) : since
}

/** Takes what is typed and ticked out of the fields, so that React finds them as they were made at build. */
export function saveInputBeforeHydration(root: HTMLElement): void {
  // From here on React keeps presses by itself.
  if (globalThis.__earlySubmit) globalThis.__earlySubmit.waking = true
  const fields = [
    ...root.querySelectorAll<TextField>('input:not([type=checkbox], [type=radio], [type=file]), textarea'),
  ]
  typedEarly = fields.map((field) => ({ field, made: field.defaultValue, typed: field.value }))
  for (const { field, made, typed } of typedEarly) if (typed !== made) field.value = made
  // Waking up takes its time, and a person types on: React may paint what it knows over that.
  const note = ({ target }: Event) => {
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)
      typedSince.set(target, target.value)
  }
  root.addEventListener('input', note, { capture: true })
  stopListening = () => root.removeEventListener('input', note, { capture: true })
  const ticks = [...root.querySelectorAll<HTMLInputElement>('input:is([type=checkbox], [type=radio])')].filter(
    (field) => field.checked !== field.defaultChecked,
  )
  // A radio button that was left is left again when another one is pressed.
  tickedEarly = ticks.filter((field) => field.type === 'checkbox' || field.checked)
  for (const field of ticks) field.checked = field.defaultChecked
}

/** Types and ticks it again, once React listens, presses the button that was pressed last, and sends the form if that was asked for already. */
export function restoreInputAfterHydration(): void {
  stopListening()
  for (const { field, made, typed } of typedEarly.splice(0)) {
    const whole = wholeText({ made, typed }, typedSince.get(field) ?? field.value)
    if (!field.isConnected || whole === made) continue
    const prototype = field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype
    // React's setter first, so that what it remembers is another text; then the field's own: it must see a change that a person made.
    field.value = made
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, whole)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  typedSince.clear()
  for (const field of tickedEarly.splice(0)) if (field.isConnected) field.click()
  resumeEarlySubmit()
}

/** After hydration React handles forms again. */
export function resumeEarlySubmit(): void {
  const waiting = globalThis.__earlySubmit
  if (!waiting || waiting.over) return
  waiting.over = true
  if (waiting.pressed?.isConnected) waiting.pressed.click()
  // What was typed must have reached the form's state by then.
  if (waiting.form?.isConnected) setTimeout(() => waiting.form?.requestSubmit())
}
