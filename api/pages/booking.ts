import { html } from 'hono/html'
import type { SiteContent } from '../features/website/service/public-site.ts'
import { isReachable } from './contact.ts'
import type { Html } from './rendered.ts'

/**
 * Where booking stands on the first page. Until a site takes bookings by itself it leads to the ways to reach the artist;
 * a booking page of its own is added in `site-pages.ts`, and this button then leads there.
 */
export function bookingSection(site: SiteContent): Html | '' {
  if (!isReachable(site)) return ''
  return html`<section class="book" id="book"><div class="wide"><h2>Book</h2>
<p class="lead">Tell ${site.name} what you have in mind: the idea, where on the body, how large, and when you have time.</p>
<a class="button" href="#contact">Get in touch</a></div></section>`
}
