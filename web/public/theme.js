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

// A form that is sent before its page has woken up waits for it, with what was typed, and so does a button: see lib/typed-early.ts.
globalThis.__earlySubmit = { form: null, pressed: null, waking: false, over: false }
addEventListener(
  'click',
  (event) => {
    const waiting = globalThis.__earlySubmit
    const button = event.target instanceof Element && event.target.closest('button[type=button]')
    if (button && !waiting.waking && !waiting.over) waiting.pressed = button
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
