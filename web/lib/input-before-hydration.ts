declare global {
  /** Recorded by public/theme.js, which runs before the page is parsed. */
  var __earlySubmit:
    | {
        form: HTMLFormElement | null
        pressed: HTMLElement | null
        hydrating: boolean
        over: boolean
        /** Before hydration: stores what was typed, without passwords, for the next load of this page in this tab. */
        keep: () => void
        /** The scripts have come: takes back what the page said about them. */
        done: () => void
      }
    | undefined
}

type TextField = HTMLInputElement | HTMLTextAreaElement

/** Every field of the page: its prerendered value, and what was typed or autofilled before hydration. */
let typedEarly: { field: TextField; made: string; typed: string }[] = []
/** Values typed after that, before React has attached its listeners. */
const typedSince = new Map<EventTarget | null, string>()
/** Boxes and radio buttons that were pressed, as they should be. */
const ticked = new Map<HTMLInputElement, boolean>()
let stopListening = () => {}
const ticks = 'input:is([type=checkbox], [type=radio])'

/**
 * The whole text that was typed: what was typed later is appended to what was removed from the field, unless the field
 * still has it.
 */
function wholeText({ made, typed }: { made: string; typed: string }, since: string): string {
  if (typed === made) return since
  return since.startsWith(made) ? typed + since.slice(made.length) : since
}

/**
 * Restores the prerendered values of fields and saves what was typed and ticked, so that hydration finds the markup
 * unchanged.
 */
export function saveInputBeforeHydration(root: HTMLElement): void {
  // React queues events itself from here on.
  if (globalThis.__earlySubmit) globalThis.__earlySubmit.hydrating = true
  const fields = [
    ...root.querySelectorAll<TextField>('input:not([type=checkbox], [type=radio], [type=file]), textarea'),
  ]
  typedEarly = fields.map((field) => ({ field, made: field.defaultValue, typed: field.value }))
  for (const { field, made, typed } of typedEarly) if (typed !== made) field.value = made
  // A person may type during hydration, and React may overwrite that.
  const note = ({ target }: Event) => {
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)
      typedSince.set(target, target.value)
  }
  // React finishes hydration within such a press, and takes the new state of the box for its first one.
  const noteTick = ({ target }: Event) => {
    if (target instanceof HTMLInputElement && target.matches(ticks)) ticked.set(target, target.checked)
  }
  root.addEventListener('input', note, { capture: true })
  root.addEventListener('click', noteTick, { capture: true })
  stopListening = () => {
    root.removeEventListener('input', note, { capture: true })
    root.removeEventListener('click', noteTick, { capture: true })
  }
  const changed = [...root.querySelectorAll<HTMLInputElement>(ticks)].filter(
    (field) => field.checked !== field.defaultChecked,
  )
  for (const field of changed) {
    // A radio button is unticked by ticking another one.
    if (field.type === 'checkbox' || field.checked) ticked.set(field, field.checked)
    field.checked = field.defaultChecked
  }
}

/**
 * After hydration: restores text and ticks, repeats the last press of a button, and submits the form if that was
 * requested.
 */
export function restoreInputAfterHydration(): void {
  stopListening()
  for (const { field: early, made, typed } of typedEarly.splice(0)) {
    const whole = wholeText({ made, typed }, typedSince.get(early) ?? early.value)
    const field = counterpart(early)
    if (!field || whole === made) continue
    const prototype = field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype
    // React's value tracker must hold another text, so that the input event below counts as a change.
    field.value = made
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, whole)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  typedSince.clear()
  // The press that finished hydration is still under way.
  setTimeout(restoreTicks)
  resumeEarlySubmit()
}

function restoreTicks(): void {
  for (const [early, checked] of ticked) {
    const field = counterpart(early)
    if (!field) continue
    // From the other state, so that the press is a change for React, whatever it has seen.
    field.checked = !checked
    field.click()
  }
  ticked.clear()
}

/** After hydration React handles forms itself. */
export function resumeEarlySubmit(): void {
  const waiting = globalThis.__earlySubmit
  if (!waiting || waiting.over) return
  waiting.over = true
  waiting.done()
  if (waiting.pressed) counterpart(waiting.pressed)?.click()
  const form = waiting.form && counterpart(waiting.form)
  // The form's state must have the restored text by then.
  if (form) setTimeout(() => form.requestSubmit())
}

/**
 * The element itself, or the one that replaced it when React rendered the page from scratch. React does that when the
 * markup was changed: password managers and other extensions write into forms. Undefined when there is none.
 */
function counterpart<E extends HTMLElement>(early: E): E | undefined {
  if (early.isConnected) return early
  const found = [...document.querySelectorAll<E>(`#root ${early.localName}`)]
  return found.find((one) => identityOf(one) === identityOf(early))
}

/** What an element has in common with its counterpart; react-aria's ids are not the same in both. */
function identityOf(element: HTMLElement): string {
  const named = (one: HTMLElement | null) =>
    ['name', 'type', 'value', 'aria-label'].map((attribute) => one?.getAttribute(attribute))
  const words = element.localName === 'button' ? element.textContent : ''
  return JSON.stringify([named(element), words, named(element.closest('form'))])
}
