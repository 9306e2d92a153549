/** The duration of a long press. */
export const longPressMs = 250
/** Pixels that a finger may move during a long press. */
const tolerance = 10

/** Calls `onPress` after a long press inside an element, and suppresses the click that follows. Returns a function that removes the listeners. */
export function addLongPress(element: HTMLElement, onPress: (target: Element) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let start = { x: 0, y: 0 }
  let isPressed = false
  const cancel = () => clearTimeout(timer)
  const onDown = (event: PointerEvent) => {
    cancel()
    isPressed = false
    const { target } = event
    if (event.pointerType !== 'touch' || !event.isPrimary || !(target instanceof Element)) return
    start = { x: event.clientX, y: event.clientY }
    timer = setTimeout(() => {
      isPressed = true
      onPress(target)
    }, longPressMs)
  }
  const onMove = (event: PointerEvent) => {
    if (Math.hypot(event.clientX - start.x, event.clientY - start.y) > tolerance) cancel()
  }
  const onClick = (event: MouseEvent) => {
    if (!isPressed) return
    isPressed = false
    event.preventDefault()
    event.stopPropagation()
  }
  // Prevents the browser's context menu of a long press.
  const onMenu = (event: MouseEvent) => {
    if (isPressed) event.preventDefault()
  }
  const listeners = new AbortController()
  const { signal } = listeners
  element.addEventListener('pointerdown', onDown, { signal })
  element.addEventListener('pointermove', onMove, { signal })
  element.addEventListener('pointerup', cancel, { signal })
  element.addEventListener('pointercancel', cancel, { signal })
  element.addEventListener('click', onClick, { capture: true, signal })
  element.addEventListener('contextmenu', onMenu, { signal })
  return () => {
    cancel()
    listeners.abort()
  }
}
