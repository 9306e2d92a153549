import { html } from 'hono/html'
import type { SiteContent } from '../features/website/service/public-site.ts'
import { errorLine } from '../core/describe-error.ts'
import { errorTable, toAppError } from '../core/errors.ts'
import type { Logger } from '../core/log.ts'
import { contactWays } from './contact.ts'
import { layout, plainPalette, sitePage } from './layout.ts'
import type { Html, Rendered } from './rendered.ts'

function notice(status: number, title: string, words: Html): Rendered {
  return layout({
    palette: plainPalette,
    title,
    status,
    hidden: true,
    body: html`<main class="wide notice"><h1>${title}</h1>${words}</main>`,
  })
}

/** Nobody has this name. */
export const nothingHere = () =>
  notice(404, 'There is no site here', html`<p>Please check the address: one letter can make the difference.</p>`)

/** The artist has chosen another address. Whatever was asked for or sent is to be asked for or sent there. */
export const movedSite = (address: string): Rendered => ({
  ...notice(308, 'This site has moved', html`<p><a href="${address}">Go to its new address</a></p>`),
  headers: { location: address },
})

/** The artist does not show the site at the moment. */
export const hiddenSite = () =>
  notice(404, 'This site is not public', html`<p>Its artist has taken it down for now.</p>`)

/** The site was closed long enough ago. */
export const goneSite = () => notice(410, 'This site is gone', html`<p>The artist no longer keeps a site here.</p>`)

/** Something of ours broke. */
export const brokenPage = () => notice(500, 'Something went wrong', html`<p>Please try again in a moment.</p>`)

/** Something that the page needs is away for a moment; it is asked for again without a hand. */
const awayPage = (retryAfter: number, reads: boolean): Rendered => ({
  ...notice(
    errorTable.unavailable.status,
    'Back in a moment',
    html`<p>This page is away for a moment and comes back by itself. ${reads ? 'It is loaded again in a few seconds.' : 'What you sent may not have arrived. Please go back and send it again in a few seconds: it counts once.'}</p>`,
  ),
  headers: { 'retry-after': String(retryAfter), ...(reads ? { refresh: String(retryAfter) } : {}) },
})

/** The page for whatever was thrown while one was made: a refusal in its own words, else that something broke, which is logged. */
export function failedPage(
  log: Logger,
  thrown: unknown,
  asked: { method: string; path: string; host?: string | undefined },
): Rendered {
  const error = toAppError(thrown)
  const { method, ...where } = asked
  if (error.kind === 'internal') {
    log.error({ err: thrown, ...where }, 'a public page failed')
    return brokenPage()
  }
  const retryAfter = error.retryAfter
  if (error.kind === 'unavailable') {
    log.warn({ reason: errorLine(thrown), ...where }, 'a public page could not be answered now')
    return awayPage(retryAfter ?? 1, method === 'GET' || method === 'HEAD')
  }
  return {
    ...refusedPage(errorTable[error.kind].status, error.message),
    ...(retryAfter === undefined ? {} : { headers: { 'retry-after': String(retryAfter) } }),
  }
}

/** What a page of a site refuses with, in its own words. */
export const refusedPage = (status: number, message: string) => notice(status, message, html``)

/** The site is there, the page is not. */
export function missingPage(site: SiteContent): Rendered {
  return sitePage(site, {
    title: `Page not found · ${site.name}`,
    status: 404,
    hidden: true,
    main: html`<div class="wide notice"><h1>Page not found</h1><p><a href="${site.base || '/'}">Go to the home page</a></p></div>`,
  })
}

/** The artist's plan has ended: who they are and how to reach them, for a while. */
export function holdingPage(site: SiteContent): Rendered {
  return layout({
    palette: site.palette,
    title: site.name,
    body: html`<main class="wide notice"><h1>${site.name}</h1>
<p>This site is taking a break. You can still get in touch.</p>
${contactWays(site, 2)}</main>`,
  })
}
