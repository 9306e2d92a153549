const offline = 'A part of the app could not be fetched without a connection'

/**
 * Turns a chunk that cannot be loaded offline into an error of the screen. By default the router reloads the page,
 * which is right after a release, when chunks have new names, but offline ends in the browser's own error page.
 * Input typed before hydration is stored for that reload. A part of a screen does not reload by itself, since the
 * screen may hold unsaved input: a notice offers it, because retrying cannot succeed.
 */
export function catchChunkLoadErrors(): void {
  window.addEventListener('vite:preloadError', (event) => {
    // The router recognises such errors by their message only.
    if (navigator.onLine) globalThis.__earlySubmit?.offerReload()
    else event.payload.message = offline
    globalThis.__earlySubmit?.keep()
  })
}

/** Whether a screen failed because its chunks could not be loaded offline. */
export const isChunkLoadError = (error: unknown): boolean => error instanceof Error && error.message === offline
