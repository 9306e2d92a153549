// Runs before the first paint: a theme chosen in Settings overrides the system's. The storage key is also in ui/theme.ts.
try {
  const theme = localStorage.getItem('theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Without storage the system's theme applies.
}

// Set before any module runs: schemas are built while modules load, and zod would try to generate code for each, which
// the security policy forbids. `jitless` is a setting of z.config, which zod stores in this global.
globalThis.__zod_globalConfig = { jitless: true }

// A submit or a click on a button before hydration is repeated after it, with the typed text: see lib/input-before-hydration.ts.
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
// Stores the plan that is chosen on the landing page, because its links already work before hydration. See lib/chosen-plan.ts.
addEventListener(
  'click',
  (event) => {
    const link = event.target instanceof Element && event.target.closest('a[data-plan]')
    if (!link) return
    try {
      localStorage.setItem('chosen-plan', link.dataset.plan)
    } catch {
      // Without storage the plan must be chosen again on /subscription.
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

// A page's scripts can be missing: a release has replaced them, or the server is being restarted. The page is then reloaded once, and
// restores the typed values from this tab's storage. Passwords are never stored.
{
  const waiting = globalThis.__earlySubmit
  const typedKey = 'typed-early'
  const triedKey = 'loaded-again'
  const retryMs = 3000
  /** A connection that stalls would be waited for forever. */
  const answerMs = 10_000
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
    again.addEventListener('click', async () => {
      // A reload while the server is down would end in the browser's own error page, and lose what was typed.
      if (!(await waiting.isBack()))
        return say('There is still no connection. Please load this page again later.', button)
      waiting.keep()
      location.reload()
    })
    notice.append(again)
  }
  // When a page is left, Firefox aborts the scripts that it still loads. A reload would then cancel the navigation.
  let leaving = Promise.resolve()
  addEventListener('beforeunload', () => {
    leaving = new Promise((resolve) => setTimeout(resolve, answerMs))
  })
  waiting.isBack = () =>
    leaving
      .then(() => fetch(location.href, { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(answerMs) }))
      .then(
        ({ ok }) => ok,
        () => false,
      )
  waiting.offerReload = () => say('Part of this page could not be loaded. Please load it again.', 'Load again')

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
    await leaving
    const tried = (storage) => storage.getItem(triedKey) === location.pathname
    // Without storage the page could reload forever.
    const mayReload = stored((storage) => {
      if (tried(storage)) return false
      storage.setItem(triedKey, location.pathname)
      return tried(storage)
    })
    if (!mayReload) return waiting.offerReload()
    say('Part of this page could not be loaded. We keep trying.')
    while (!(await waiting.isBack())) await new Promise((resolve) => setTimeout(resolve, retryMs))
    waiting.keep()
    location.reload()
  }
  // Load errors do not bubble, so this listens in the capture phase. A runtime error counts too if it is in one of our own scripts:
  // the entry script may load and then throw. Scripts of browser extensions do not count.
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

// A prerendered page has its scripts and the complete style sheet in a template, so that on a slow connection they do not delay the
// first paint. Hydration starts after that paint, or at once in a background tab.
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
    // For browsers that never report the paint.
    setTimeout(hydrate, 2000)
  })
}
