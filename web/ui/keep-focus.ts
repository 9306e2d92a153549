/** Where an element was before it was removed. */
type Place = { parent: Node; before: Node | null }

/** Longer than dialogs, calendars and grids take to restore the focus themselves. */
export const delayMs = 100
/** More than a dialog has controls: the element that opened it may be removed when it closes. */
const remembered = 20

/**
 * When the focused element is removed, such as a row by its own button, moves the focus to what is now in its place, otherwise to the
 * nearest heading. Browsers would move it to the start of the page. No button gets the focus, because the same key may be pressed again.
 * After a dialog that replaced another one, what opened that one gets the focus.
 * When it is disabled, such as by the move of a row to the top, the focus moves to what is around it, and back once it is enabled again.
 */
export function keepFocus(): void {
  /** What had the focus, the latest last. */
  let recent: { element: Element; path: string; isVisible: boolean }[] = []
  const places = new WeakMap<Element, Place>()
  /** What was disabled while it had the focus, and what has the focus instead. */
  let disabled: { element: HTMLElement; standIn?: HTMLElement } | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const onFocusIn = ({ target }: FocusEvent) => {
    if (!(target instanceof Element)) return
    if (target !== disabled?.standIn) disabled = undefined
    recent = recent.filter(({ element }) => element !== target).slice(1 - remembered)
    recent.push({ element: target, path: location.pathname, isVisible: target.matches(':focus-visible') })
  }
  const onFocusOut = ({ target, relatedTarget }: FocusEvent) => {
    queueMicrotask(() => {
      // If the element is still usable, the user moved the focus away, such as with a click beside it.
      const isLeft = relatedTarget === null && target instanceof Element && isUsable(target) && document.hasFocus()
      if (isLeft && document.activeElement === document.body) recent = []
    })
  }
  const restoreFocus = () => {
    const { activeElement, body } = document
    if (disabled && !disabled.element.isConnected) disabled = undefined
    if (disabled) {
      const { element } = disabled
      if (isUsable(element)) element.focus({ preventScroll: true })
      else if (activeElement === body) {
        // The input of a switch is hidden, but not its label.
        const { parentElement, previousSibling } = element.closest('label') ?? element
        const standIn = parentElement && elementNear({ parent: parentElement, before: previousSibling })
        if (!standIn) return
        disabled = { element, standIn }
        focusOnce(standIn, !recent.some((one) => one.element === element && one.isVisible))
      }
      return
    }
    const newestFirst = recent.toReversed()
    const newest = newestFirst[0]?.element
    const isDialogClosed = newest?.isConnected === false && newest.closest(dialog) !== null
    // While a dialog is open, what opened it may have been removed already.
    if (!activeElement?.closest(dialog)) recent = recent.filter(({ element }) => element.isConnected)
    if (activeElement !== body) return
    for (const { element, path, isVisible } of newestFirst) {
      const place = places.get(element)
      // After a navigation the new page gets the focus.
      if (path !== location.pathname) continue
      // A dialog that replaced another one cannot restore the focus to what opened that one.
      const opener = isDialogClosed && isUsable(element) && element instanceof HTMLElement ? element : null
      const target = opener ?? (place && !element.isConnected ? elementNear(place) : null)
      if (!target) continue
      focusOnce(target, !isVisible)
      return
    }
  }
  const observer = new MutationObserver((changes) => {
    const last = recent.at(-1)?.element
    if (last instanceof HTMLElement && last.matches(':disabled')) disabled ??= { element: last }
    for (const { target, removedNodes, previousSibling } of changes)
      for (const removed of removedNodes)
        for (const { element } of recent) {
          const known = places.get(element)
          if (removed.contains(element) || (known && removed.contains(known.parent)))
            places.set(element, { parent: target, before: previousSibling })
        }
    if (!disabled && recent.every(({ element }) => element.isConnected)) return
    clearTimeout(timer)
    // Two frames: on a busy device those of a dialog, which began earlier, may take longer than the delay.
    timer = setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(restoreFocus)), delayMs)
  })

  observer.observe(document, { childList: true, subtree: true, attributeFilter: ['disabled'] })
  document.addEventListener('focusin', onFocusIn)
  document.addEventListener('focusout', onFocusOut)
}

const dialog = '[role="dialog"], [role="alertdialog"]'

const isUsable = (element: Element) => element.isConnected && !element.matches(':disabled')

const isShown = (element: Element): element is HTMLElement =>
  element instanceof HTMLElement && element.offsetHeight > 1 && element.closest('[aria-hidden="true"]') === null

/** What is now at this place or before it, otherwise the heading of the part of the page around it; null outside the page's content. */
function elementNear({ parent, before }: Place): HTMLElement | null {
  if (!(parent instanceof HTMLElement) || !parent.closest('main, [role="dialog"]')) return null
  const siblings = [...parent.children].filter(isShown)
  const at = siblings.findIndex((one) => before === null || isAfter(one, before))
  const neighbours = at < 0 ? [siblings.at(-1)] : [siblings[at], siblings[at - 1]]
  const found = neighbours.find((one) => one && !one.matches(controls)) ?? (siblings.length > 0 ? parent : undefined)
  if (found) return headingIn(found) ?? found
  for (let around = parent.parentElement; around; around = around.parentElement) {
    const heading = headingIn(around)
    if (heading || around.matches('main, [role="dialog"]')) return heading ?? around
  }
  return null
}

const controls = 'a, button, input, label'

const isAfter = (element: Element, other: Node) =>
  (other.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0

const headingIn = (element: HTMLElement): HTMLElement | null =>
  [...element.querySelectorAll<HTMLElement>('h1, h2, h3, h4')].find(isShown) ?? null

function focusOnce(element: HTMLElement, preventScroll: boolean): void {
  if (!element.hasAttribute('tabindex')) {
    element.tabIndex = -1
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true })
  }
  element.focus({ preventScroll })
}
