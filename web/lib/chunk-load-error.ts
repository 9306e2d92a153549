const offline = 'A part of the app could not be fetched without a connection'

/**
 * Makes a part of the app that cannot be fetched offline an error of the screen. Left to itself the router loads the page anew,
 * which is right after a release, when parts have other names, and without a connection ends in the browser's own error page.
 */
export function catchChunkLoadErrors(): void {
  window.addEventListener('vite:preloadError', (event) => {
    // The router tells such errors by their words alone.
    if (!navigator.onLine) event.payload.message = offline
  })
}

/** Whether a screen failed because its scripts could not be fetched offline. */
export const isChunkLoadError = (error: unknown): boolean => error instanceof Error && error.message === offline
