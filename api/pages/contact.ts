import { networkIconPaths } from '@flashsheet/contracts/network-icons'
import { type Platform, platformNames } from '@flashsheet/contracts/networks'
import { dialledNumber } from '@flashsheet/contracts/phone'
import { html } from 'hono/html'
import type { SiteContent } from '../features/website/service/public-site.ts'
import type { Html } from './rendered.ts'

const networkIcon = (platform: Platform) =>
  html`<svg viewBox="0 0 24 24" aria-hidden="true"><path fill-rule="evenodd" d="${networkIconPaths[platform]}"/></svg>`

/** Whether the site has any contact details. */
export function isReachable({ email, phone, place, links }: SiteContent): boolean {
  return email !== '' || phone !== '' || place.map !== undefined || links.length > 0
}

/** Whether the home page has a contact section, to which other pages link. */
export const hasContactSection = (site: SiteContent): boolean =>
  isReachable(site) && site.sections.shown.includes('contact')

/** The contact details. Links contain only validated values, never free text. */
export function contactDetails(site: SiteContent, level: 2 | 3): Html {
  const { email, phone, place, links } = site
  const title = (text: string) => (level === 2 ? html`<h2>${text}</h2>` : html`<h3>${text}</h3>`)
  return html`<div class="ways">
${email ? html`<div>${title('Email')}<a href="mailto:${encodeURIComponent(email).replaceAll('%40', '@')}">${email}</a></div>` : ''}
${phone ? html`<div>${title('Phone')}<a href="tel:${dialledNumber(phone)}">${phone}</a></div>` : ''}
${place.map ? html`<div>${title('Studio')}<address>${addressLines(site)}</address><a href="${place.map}" rel="noopener noreferrer">Open in maps</a></div>` : ''}
${
  links.length > 0
    ? html`<div>${title('Elsewhere')}<ul>${links.map((link) => html`<li><a href="${link.url}" rel="me noopener noreferrer">${networkIcon(link.platform)}${platformNames[link.platform]}: <bdi>${link.name}</bdi></a></li>`)}</ul></div>`
    : ''
}
</div>`
}

function addressLines({ shopName, place }: SiteContent): Html {
  const lines = [
    shopName,
    place.shopAddress,
    [place.city, [place.state, place.zip].filter(Boolean).join(' ')].filter(Boolean).join(', '),
  ].filter(Boolean)
  return html`${lines.map((line, i) => html`${i > 0 ? html`<br>` : ''}<bdi>${line}</bdi>`)}`
}
