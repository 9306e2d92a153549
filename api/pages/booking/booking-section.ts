import { html } from 'hono/html'
import type { SiteContent } from '../../features/website/service/public-site.ts'
import type { Html } from '../rendered.ts'

/** The booking section of the home page, which links to the form (`book.ts`). */
export function bookingSection(site: SiteContent): Html {
  return html`<section class="book" id="book"><div class="wide"><h2>Book</h2>
<p class="lead">Pick a day and a free time, and tell ${site.name} what you have in mind.</p>
<a class="button" href="${site.base}/book">See free times</a></div></section>`
}
