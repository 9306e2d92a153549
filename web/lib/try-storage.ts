/** Runs `act` on the browser's storage. Returns undefined when it throws: storage is blocked or full, or a stored value is unreadable. */
export function tryStorage<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
