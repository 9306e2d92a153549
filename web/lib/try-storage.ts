/** Runs `act` on the browser's storage. Undefined where storage is blocked or full, or holds what cannot be read. */
export function tryStorage<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
