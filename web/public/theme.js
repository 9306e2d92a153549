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
globalThis.__earlySubmit = { form: null, pressed: null, hydrating: false, over: false, keep() {}, done() {} }
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

// A page's scripts can be missing: a release has replaced them, or the server is being restarted. The page is then loaded again, once, and
// finds what was typed in this tab's storage. Passwords are never stored.
{
  const waiting = globalThis.__earlySubmit
  const typedKey = 'typed-early'
  const triedKey = 'loaded-again'
  const retryMs = 3000
  const slowMs = 1500
  const stored = (use) => {
    try {
      return use(sessionStorage)
    } catch {
      return null
    }
  }
  const fields = () => [...document.querySelectorAll('#root :is(input, textarea)[name]')]
  const forms = () => [...document.forms].map((form) => form.getAttribute('aria-label'))
  const isTick = ({ type }) => type === 'checkbox' || type === 'radio'
  const isSame = (one, other) =>
    one.name === other.name && one.type === other.type && (!isTick(one) || one.value === other.value)

  const say = (words, button) => {
    const notice = document.getElementById('page-notice')
    if (!notice) return
    const text = document.createElement('p')
    text.textContent = words
    notice.replaceChildren(text)
    if (!button) return
    const again = document.createElement('button')
    again.type = 'button'
    again.textContent = button
    again.addEventListener('click', () => {
      waiting.keep()
      location.reload()
    })
    notice.append(again)
  }

  waiting.keep = () => {
    if (waiting.hydrating || waiting.over) return
    const changed = fields().filter((one) =>
      isTick(one) ? one.checked !== one.defaultChecked : one.value !== one.defaultValue,
    )
    const secret = ({ type }) => type === 'password' || type === 'file'
    const typed = changed
      .filter((one) => !secret(one))
      .map(({ name, type, value, checked }) => ({ name, type, value, checked }))
    const sent = waiting.form && waiting.form.getAttribute('aria-label')
    if (changed.length === 0 && !sent) return
    const kept = { path: location.pathname, typed, sent, lost: changed.some(secret) }
    stored((storage) => storage.setItem(typedKey, JSON.stringify(kept)))
  }
  const restore = () => {
    const kept = stored((storage) => {
      const found = JSON.parse(storage.getItem(typedKey))
      storage.removeItem(typedKey)
      return found
    })
    if (!kept || kept.path !== location.pathname) return
    for (const field of fields()) {
      const typed = kept.typed.find((one) => isSame(one, field))
      if (typed && isTick(field)) field.checked = typed.checked
      else if (typed) field.value = typed.value
    }
    if (kept.lost) say('This page was loaded again. Please enter your password once more.')
    else if (kept.sent) waiting.form = document.forms[forms().indexOf(kept.sent)] || null
  }
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', restore)
  else restore()

  let failed = false
  const fail = async () => {
    if (failed || waiting.hydrating || waiting.over) return
    failed = true
    const tried = (storage) => storage.getItem(triedKey) === location.pathname
    // Without storage nothing would end the reloading.
    const mayReload = stored((storage) => {
      if (tried(storage)) return false
      storage.setItem(triedKey, location.pathname)
      return tried(storage)
    })
    if (!mayReload) return say('Part of this page could not be loaded. Please load it again.', 'Load again')
    say('Part of this page could not be loaded. We keep trying.')
    // A reload while the server is away would end in the browser's own error page.
    const isBack = () =>
      fetch(location.href, { method: 'HEAD', cache: 'no-store' }).then(
        ({ ok }) => ok,
        () => false,
      )
    while (!(await isBack())) await new Promise((resolve) => setTimeout(resolve, retryMs))
    waiting.keep()
    location.reload()
  }
  // Errors of resources do not bubble. An error of code counts while it is ours: the first script may fail as it runs.
  addEventListener(
    'error',
    ({ target, filename }) => {
      const isScript = target instanceof HTMLScriptElement && target.type === 'module'
      if (!isScript && !(filename && filename.startsWith(`${location.origin}/assets/`))) return
      if (document.readyState === 'loading') addEventListener('DOMContentLoaded', fail)
      else void fail()
    },
    true,
  )
  addEventListener('submit', () => {
    if (waiting.over) return
    setTimeout(() => {
      if (!waiting.over && !failed) say('Still loading. What you sent goes out as soon as this page is ready.')
    }, slowMs)
  })
  waiting.done = () => {
    stored((storage) => storage.removeItem(triedKey))
    const notice = document.getElementById('page-notice')
    if (waiting.form || !notice) notice?.replaceChildren()
    else addEventListener('submit', () => notice.replaceChildren(), { capture: true, once: true })
  }
}

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
