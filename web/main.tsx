import './ui/base.css'
import { startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { App, createAppRouter } from './app.tsx'
import { catchMissingParts } from './lib/missing-part.ts'
import { keepTyped, letFormsGo } from './lib/typed-early.ts'

catchMissingParts()
const router = createAppRouter()
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
const app = <App router={router} />

/** The page that was made at build, if this is one. */
const madeFor = root.dataset['page']
if (madeFor === undefined) {
  letFormsGo()
  createRoot(root).render(app)
} else {
  // The router's own mark of a page that came with its content: the first render then has the shape of what is there.
  router.ssr = { manifest: undefined }
  await Promise.all([router.load(), wholeStyles()])
  if (router.state.location.pathname === madeFor) {
    keepTyped(root)
    // In pieces: a press in between is heard at once, not after everything else.
    startTransition(() => void hydrateRoot(root, app))
  } else {
    // A guard led elsewhere: what was made at build is another page.
    delete router.ssr
    root.replaceChildren()
    letFormsGo()
    createRoot(root).render(app)
  }
}

/** A page made at build is painted with the rules it needs; what React adds to it needs the others. */
async function wholeStyles(): Promise<void> {
  const link = document.querySelector<HTMLLinkElement>('#styles')
  if (!link || link.sheet) return
  await new Promise((resolve) => {
    link.onload = link.onerror = resolve
  })
}
