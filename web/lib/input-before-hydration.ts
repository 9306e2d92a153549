declare global {
  /** Recorded by public/theme.js, which runs before the page is parsed. */
  var __earlySubmit:
    | {
        form: HTMLFormElement | null
        pressed: HTMLElement | null
        hydrating: boolean
        over: boolean
        /** Before hydration: stores the typed values, without passwords, for the next load of this page in this tab. */
        keep: () => void
        /** Whether the server answers for this page. */
        isBack: () => Promise<boolean>
        /** Shows that a part of the page is missing, with a button that reloads it. */
        offerReload: () => void
        /** The scripts have loaded: removes the notice that they are late. */
        done: () => void
      }
    | undefined
}

type TextField = HTMLInputElement | HTMLTextAreaElement

/** Every field of the page: its prerendered value (`made`), and the one typed or autofilled before hydration. */
let typedEarly: { field: TextField; made: string; typed: string }[] = []
/**
 * Values entered during hydration, before React has attached its listeners. `isFilledIn`: a password manager or the
 * browser has set the whole value.
 */
const enteredSince = new Map<EventTarget | null, { value: string; isFilledIn: boolean }>()
/** Checkboxes and radio buttons that were clicked, with their state after the click. */
const ticked = new Map<HTMLInputElement, boolean>()
let stopListening = () => {}
const ticks = 'input:is([type=checkbox], [type=radio])'

/**
 * The whole text of a field. Before hydration the field was reset from `typed` to `made`, so what its value has after
 * `made` was typed later and is appended to `typed`. A value that was filled in, or does not begin with `made`, is the
 * whole text.
 */
function wholeText({ field, made, typed }: { field: TextField; made: string; typed: string }): string {
  const { value, isFilledIn } = enteredSince.get(field) ?? { value: field.value, isFilledIn: field.value !== made }
  if (typed === made || isFilledIn) return value
  return value.startsWith(made) ? typed + value.slice(made.length) : value
}

/** Whether an input event is from the keyboard or clipboard. Events of programs have no type, those of autofill this one. */
const isTyping = (event: Event) =>
  event instanceof InputEvent && event.inputType !== '' && event.inputType !== 'insertReplacementText'

/**
 * Saves typed text and ticks, and resets the fields to their prerendered values, so that hydration finds the markup
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
  // Input may be typed during hydration, and React may overwrite it.
  const note = (event: Event) => {
    const { target } = event
    if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return
    const isFilledIn = enteredSince.get(target)?.isFilledIn === true || !isTyping(event)
    enteredSince.set(target, { value: target.value, isFilledIn })
  }
  // React finishes hydration during such a click, and takes the new state of the checkbox for its initial one.
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
 * After hydration: restores text and ticks, repeats the last click on a button, and submits the form if a submit was
 * attempted.
 */
export function restoreInputAfterHydration(): void {
  stopListening()
  for (const { field: early, made, typed } of typedEarly.splice(0)) {
    const whole = wholeText({ field: early, made, typed })
    const field = counterpart(early)
    if (!field || whole === made) continue
    const prototype = field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype
    // React's value tracker must hold another value, so that the input event below counts as a change.
    field.value = made
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, whole)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  enteredSince.clear()
  // The click that finished hydration is still being dispatched.
  setTimeout(restoreTicks)
  resumeEarlySubmit()
}

function restoreTicks(): void {
  for (const [early, checked] of ticked) {
    const field = counterpart(early)
    if (!field) continue
    // Clicked from the opposite state, so that React always sees a change.
    field.checked = !checked
    field.click()
  }
  ticked.clear()
}

/** Repeats the click and the submit that came before hydration. From then on React handles both. */
export function resumeEarlySubmit(): void {
  const waiting = globalThis.__earlySubmit
  if (!waiting || waiting.over) return
  waiting.over = true
  waiting.done()
  if (waiting.pressed) counterpart(waiting.pressed)?.click()
  const form = waiting.form && counterpart(waiting.form)
  // In a later task, when React state has the restored text.
  if (form) setTimeout(() => form.requestSubmit())
}

/**
 * The element itself, or the one that replaced it when React rendered the page from scratch; undefined when there is
 * none. React does so when the markup was changed, such as by password managers and other extensions.
 */
function counterpart<E extends HTMLElement>(early: E): E | undefined {
  if (early.isConnected) return early
  const found = [...document.querySelectorAll<E>(`#root ${early.localName}`)]
  return found.find((one) => identityOf(one) === identityOf(early))
}

/** Equal for an element and its counterpart. Ids are not: react-aria generates new ones. */
function identityOf(element: HTMLElement): string {
  const named = (one: HTMLElement | null) =>
    ['name', 'type', 'value', 'aria-label'].map((attribute) => one?.getAttribute(attribute))
  const words = element.localName === 'button' ? element.textContent : ''
  return JSON.stringify([named(element), words, named(element.closest('form'))])
}
