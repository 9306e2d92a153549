const missing = 'A part of the app could not be loaded: '

/**
 * Turns a chunk of a screen that cannot be loaded into an error of the screen. By default the router reloads the page at
 * once, which is right after a release, when chunks have new names, but without a connection to the server ends in an
 * error page of the browser or of a proxy. Input typed before hydration is stored for a reload. A part of a screen does
 * not reload by itself, since the screen may hold unsaved input: a notice offers it, because retrying cannot succeed.
 */
export function catchChunkLoadErrors(): void {
  window.addEventListener('vite:preloadError', (event) => {
    // The router recognises such errors by the beginning of their message.
    event.payload.message = missing + event.payload.message
    if (navigator.onLine) globalThis.__earlySubmit?.offerReload()
    globalThis.__earlySubmit?.keep()
  })
}

/** Whether a screen failed because its chunks could not be loaded. */
export const isChunkLoadError = (error: unknown): error is Error =>
  error instanceof Error && error.message.startsWith(missing)
