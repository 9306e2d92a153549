/** `system` follows the device. */
export type Theme = 'system' | 'light' | 'dark'

/** public/theme.js reads the same key before the first paint. */
const storageKey = 'theme'

/** The theme chosen on this device; `system` when none was. */
export function chosenTheme(): Theme {
  const theme = document.documentElement.dataset['theme']
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

/** Applies a theme at once and remembers it on this device. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  try {
    if (theme === 'system') localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, theme)
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
}
