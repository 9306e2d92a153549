import './ui/base.css'
import { startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { App, createAppRouter } from './app.tsx'
import { catchChunkLoadErrors } from './lib/chunk-load-error.ts'
import { saveInputBeforeHydration, resumeEarlySubmit } from './lib/input-before-hydration.ts'

catchChunkLoadErrors()
const router = createAppRouter()
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
const app = <App router={router} />

/** The page that was made at build, if this is one. */
const madeFor = root.dataset['page']
if (root.dataset['frame'] !== undefined) {
  // The grey frame stays until there is a screen to put in its place.
  await Promise.all([router.load(), wholeStyles()])
  root.replaceChildren()
  resumeEarlySubmit()
  createRoot(root).render(app)
} else if (madeFor === undefined) {
  resumeEarlySubmit()
  createRoot(root).render(app)
} else {
  // The router's own mark of a page that came with its content: the first render then has the shape of what is there.
  router.ssr = { manifest: undefined }
  await Promise.all([router.load(), wholeStyles()])
  // The server sends the same page for an address that ends in a slash.
  if (router.state.location.pathname.replace(/(.)\/$/, '$1') === madeFor) {
    saveInputBeforeHydration(root)
    // In pieces: a press in between is heard at once, not after everything else.
    startTransition(() => void hydrateRoot(root, app))
  } else {
    // A guard led elsewhere: what was made at build is another page.
    delete router.ssr
    root.replaceChildren()
    resumeEarlySubmit()
    createRoot(root).render(app)
  }
}

/** A page made at build is painted with the rules it needs; what React adds to it needs the others. */
async function wholeStyles(): Promise<void> {
  // On a page that was not painted yet they still stand in their template (public/theme.js).
  const waiting = document.querySelector<HTMLTemplateElement>('#after-paint')
  waiting?.replaceWith(waiting.content)
  const link = document.querySelector<HTMLLinkElement>('#styles')
  if (!link || link.sheet) return
  await new Promise((resolve) => {
    link.onload = link.onerror = resolve
  })
}
