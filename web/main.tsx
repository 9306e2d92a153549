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

/** The path that this page was prerendered for; undefined if it was not. */
const prerenderedPath = root.dataset['page']
if (root.dataset['frame'] !== undefined) {
  // The skeleton of the shell stays until the screen is ready.
  await Promise.all([router.load(), completeStyles()])
  root.replaceChildren()
  resumeEarlySubmit()
  createRoot(root).render(app)
} else if (prerenderedPath === undefined) {
  resumeEarlySubmit()
  createRoot(root).render(app)
} else {
  // Tells the router that the content was prerendered, so that its first render matches the markup.
  router.ssr = { manifest: undefined }
  await Promise.all([router.load(), completeStyles()])
  // The server sends the same page for a path that ends in a slash.
  if (router.state.location.pathname.replace(/(.)\/$/, '$1') === prerenderedPath) {
    saveInputBeforeHydration(root)
    // A transition hydrates in slices, so that clicks in between are handled at once.
    startTransition(() => void hydrateRoot(root, app))
  } else {
    // A route guard has redirected, so the prerendered page is the wrong one.
    delete router.ssr
    root.replaceChildren()
    resumeEarlySubmit()
    createRoot(root).render(app)
  }
}

/** Prerendered pages begin with their critical CSS. React needs the complete style sheet. */
async function completeStyles(): Promise<void> {
  // Before the first paint the link is still inside a template (public/theme.js).
  const template = document.querySelector<HTMLTemplateElement>('#after-paint')
  template?.replaceWith(template.content)
  const link = document.querySelector<HTMLLinkElement>('#styles')
  if (!link || link.sheet) return
  await new Promise((resolve) => {
    link.onload = link.onerror = resolve
  })
}
