import { onTestFinished } from 'vitest'

/** Makes the font twice as large as usual until the test ends. `em` in media queries stays 16 px: a width of 319 px is below 20em. */
export function enlargeFont(): void {
  document.documentElement.style.fontSize = '200%'
  onTestFinished(() => void document.documentElement.style.removeProperty('font-size'))
}
