import { html } from 'hono/html'
import type { SiteContent } from '../features/website/service/public-site.ts'
import { errorLine } from '../core/describe-error.ts'
import { errorTable, toAppError } from '../core/errors.ts'
import type { Logger } from '../core/log.ts'
import { contactDetails } from './contact.ts'
import { layout, sitePage } from './layout.ts'
import type { Html, Rendered } from './rendered.ts'
import { defaultTheme } from './site-style.ts'

/** A page with only a message. */
export function notice(status: number, title: string, words: Html): Rendered {
  return layout({
    theme: defaultTheme,
    title,
    status,
    isNoindex: true,
    body: html`<main class="wide notice"><h1>${title}</h1>${words}</main>`,
  })
}

/** 404: no site has this name. */
export const unknownSitePage = () =>
  notice(404, 'There is no site here', html`<p>Please check the address for a typing mistake.</p>`)

/** The artist has changed the address. 308 keeps the method and body of the request. */
export const movedSitePage = (address: string): Rendered => ({
  ...notice(308, 'This site has moved', html`<p><a href="${address}">Go to its new address</a></p>`),
  headers: { location: address },
})

/** For a client whose form was open when the site was closed. */
const notSent = (isReading: boolean) => (isReading ? '' : html`<p><b>Your request was not sent.</b></p>`)

/** The artist has hidden the site, or staff have deactivated the artist. */
export const hiddenSitePage = (isReading: boolean) =>
  notice(404, 'This site is not public', html`${notSent(isReading)}<p>It has been taken down for now.</p>`)

/** 410: the site was closed more than 30 days ago. */
export const goneSitePage = () => notice(410, 'This site is gone', html`<p>The artist no longer keeps a site here.</p>`)

/** 503: a dependency is unavailable for a moment. The browser reloads the page after a GET. */
const unavailablePage = (retryAfter: number, isReading: boolean): Rendered => ({
  ...notice(
    errorTable.unavailable.status,
    'Back in a moment',
    html`<p>This page is briefly unavailable. ${isReading ? 'It is loaded again in a few seconds.' : 'What you sent may not have arrived. Please go back and send it again in a few seconds. It is not counted twice.'}</p>`,
  ),
  headers: { 'retry-after': String(retryAfter), ...(isReading ? { refresh: String(retryAfter) } : {}) },
})

/** The page for a thrown error: a refusal with its message, or a 500 that is logged. */
export function failedPage(
  log: Logger,
  thrown: unknown,
  { method, ...where }: { method: string; path: string; host?: string | undefined },
): Rendered {
  const error = toAppError(thrown)
  if (error.kind === 'internal') {
    log.error({ err: thrown, ...where }, 'a public page failed')
    return notice(500, 'Something went wrong', html`<p>Please try again in a moment.</p>`)
  }
  const retryAfter = error.retryAfter
  if (error.kind === 'unavailable') {
    log.warn({ reason: errorLine(thrown), ...where }, 'a public page could not be answered now')
    return unavailablePage(retryAfter ?? 1, method === 'GET' || method === 'HEAD')
  }
  return withRetryAfter(refusedPage(errorTable[error.kind].status, error.message), retryAfter)
}

/** A refusal says after how many seconds to try again, if that is known. */
export const withRetryAfter = (page: Rendered, seconds: number | undefined): Rendered =>
  seconds === undefined ? page : { ...page, headers: { ...page.headers, 'retry-after': String(seconds) } }

/** A refusal with its message. */
export const refusedPage = (status: number, message: string) => notice(status, message, html``)

/** 404 inside a site's layout. */
export function missingPage(site: SiteContent): Rendered {
  return sitePage(site, {
    title: `Page not found · ${site.name}`,
    status: 404,
    isNoindex: true,
    main: html`<div class="wide notice"><h1>Page not found</h1><p><a href="${site.home}">Go to the home page</a></p></div>`,
  })
}

/** For 30 days after the plan ended: who the artist is and how to reach them. */
export function holdingPage(site: SiteContent, isReading: boolean): Rendered {
  return layout({
    theme: site,
    title: site.name,
    body: html`<main class="wide notice"><h1><bdi>${site.name}</bdi></h1>
${notSent(isReading)}<p>This site is taking a break. You can still get in touch.</p>
${contactDetails(site, 2)}</main>`,
  })
}
