import { html } from 'hono/html'
import type { PublicFlash, SiteContent } from '../features/website/service/public-site.ts'
import type { Html } from './rendered.ts'
import { workElement } from './work.ts'

/** Width of a picture of flash on a wide, a middle and a small screen (site.css, .flash-pieces). */
const sizes = '(min-width: 76rem) 368px, (min-width: 48rem) calc((100vw - 7rem) / 3), calc((100vw - 3.5rem) / 2)'

/** The flash section. A piece has no Book button while bookings are closed, or if it is taken. */
export function flash(site: SiteContent): Html | '' {
  if (site.flash.length === 0) return ''
  return html`<section id="flash"><div class="wide"><h2>Available flash</h2>
<ul class="flash-pieces">${site.flash.map((one) => html`<li dir="auto">${piece(site, one)}</li>`)}</ul></div></section>`
}

function piece(site: SiteContent, one: PublicFlash): Html {
  const action = one.isTaken
    ? html`<p class="taken">Taken</p>`
    : site.takesBookings
      ? html`<a class="button" href="${site.base}/book?flash=${one.token}" aria-label="Book this: ${one.title}" rel="nofollow">Book this</a>`
      : ''
  return html`${workElement(one, { alt: one.alt || one.title, sizes, first: false })}<h3>${one.title}</h3>${one.price ? html`<p class="price">${one.price}</p>` : ''}${action}`
}

/** The piece with this token, of those that the site shows. */
export const findFlash = (site: SiteContent, token: string | undefined): PublicFlash | undefined =>
  site.flash.find((one) => one.token === token)
