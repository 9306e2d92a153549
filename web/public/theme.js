// Runs before the first paint: a theme chosen in Settings wins over the system's. Keep the key in step with ui/theme.ts.
try {
  const theme = localStorage.getItem('theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage is closed to us: the system's theme it is.
}

// Set before any module runs: schemas are built while modules load, and zod would try to generate code for each, which
// the security policy forbids. `jitless` is zod's own setting (z.config); this is where it keeps it.
globalThis.__zod_globalConfig = { jitless: true }

// A form that is sent, or a button pressed, before hydration waits for it, with what was typed: see lib/input-before-hydration.ts.
globalThis.__earlySubmit = { form: null, pressed: null, hydrating: false, over: false }
addEventListener(
  'click',
  (event) => {
    const waiting = globalThis.__earlySubmit
    const button = event.target instanceof Element && event.target.closest('button[type=button]')
    if (button && !waiting.hydrating && !waiting.over) waiting.pressed = button
  },
  true,
)
// The plan that is pressed on the landing page: its link works before hydration, and must not lose it. See lib/chosen-plan.ts.
addEventListener(
  'click',
  (event) => {
    const link = event.target instanceof Element && event.target.closest('a[data-plan]')
    if (!link) return
    try {
      localStorage.setItem('chosen-plan', link.dataset.plan)
    } catch {
      // Without storage the plan is chosen once more on /subscription.
    }
  },
  true,
)
addEventListener(
  'submit',
  (event) => {
    if (globalThis.__earlySubmit.over) return
    event.preventDefault()
    globalThis.__earlySubmit.form = event.target
  },
  true,
)

// A page made at build carries its scripts and the whole style sheet in a template, so that on a slow line nothing is loaded before
// it can be read. Hydration starts here: once it is painted, or at once where nobody looks yet.
{
  const hydrate = () => {
    if (document.readyState === 'loading') return addEventListener('DOMContentLoaded', hydrate)
    const later = document.getElementById('after-paint')
    later?.replaceWith(later.content)
  }
  const painted = new PerformanceObserver(
    (entries) => entries.getEntriesByName('first-contentful-paint').length > 0 && hydrate(),
  )
  painted.observe({ type: 'paint', buffered: true })
  const unseen = () => document.hidden && hydrate()
  addEventListener('visibilitychange', unseen)
  addEventListener('load', () => {
    unseen()
    // A browser that never tells of its paint must not keep the page from being hydrated.
    setTimeout(hydrate, 2000)
  })
}
