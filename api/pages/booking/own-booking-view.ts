import { html } from 'hono/html'
import type { OwnBooking } from '../../features/appointments/service/client-link.ts'
import type { DayPage, MonthPage } from '../../features/appointments/service/site-form.ts'
import type { SiteContent } from '../../features/website/service/public-site.ts'
import { bookingNames, chooseByLink, formatDay, hiddenInputs, monthTable, slotChoice } from './book-view.ts'
import { hasContactSection } from '../contact.ts'
import { brand, iconLink, layout } from '../layout.ts'
import { notice } from '../notices.ts'
import type { Html, Rendered } from '../rendered.ts'
import type { SiteTheme } from '../site-style.ts'

/** The theme of the page, and the artist's site if it is open. */
export type Branding = { theme: SiteTheme; site: SiteContent | undefined }
type Refused = { status: number; message: string }

const states: Record<OwnBooking['status'], string> = {
  pending: 'Waiting for an answer',
  confirmed: 'Confirmed',
  cancelled: 'Cancelled',
  completed: 'Done',
}

function page({ theme, site }: Branding, title: string, main: Html, status = 200): Rendered {
  const head = site ? html`<header class="wide top">${brand(site, site.address)}</header>` : ''
  return layout({
    theme,
    title,
    isNoindex: true,
    status,
    head: site ? iconLink(site) : '',
    body: html`${head}<main class="wide booking">${main}</main>`,
  })
}

/** 404: the link is unknown or expired, or the booking or its artist was deleted. */
export const unknownLink = (): Rendered =>
  notice(
    404,
    'This link is not valid',
    html`<p>It may be old or incomplete, or the booking was deleted. Please look at the newest email about your booking. If it has no link that works, contact the studio.</p>`,
  )

const done: Record<string, string> = {
  moved: 'Your booking was moved.',
  cancelled: 'Your booking is cancelled.',
}

/** One booking, with buttons to move or cancel it. */
export function ownBookingPage(
  branding: Branding,
  token: string,
  booking: OwnBooking,
  finished: string | undefined,
  refused?: Refused,
): Rendered {
  const isOpen = booking.status === 'pending' || booking.status === 'confirmed'
  // The address may be opened again after the artist has changed the booking.
  const isCurrent = finished === (isOpen ? 'moved' : booking.status)
  const message = refused?.message ?? (isCurrent ? done[finished] : undefined)
  return page(
    branding,
    `Your booking · ${booking.artist}`,
    html`<h1>Your booking</h1>
${message ? html`<div class="refused" role="status"><p>${message}</p></div>` : ''}
<dl class="facts"><dt>With</dt><dd><bdi>${booking.artist}</bdi></dd><dt>What</dt><dd>${bookingNames[booking.bookingType]}</dd><dt>When</dt><dd>${booking.when}</dd><dt>Status</dt><dd><b>${booking.isOver && isOpen ? 'Over' : states[booking.status]}</b></dd></dl>
${booking.mayMove ? html`<p class="send"><a class="button" href="/booking/${token}?move=1" rel="nofollow">Choose another time</a></p>` : ''}
${booking.status === 'cancelled' && branding.site?.takesBookings ? html`<p class="send"><a class="button" href="${branding.site.address}/book">Book another time</a></p>` : ''}
${booking.mayCancel && !booking.mayMove ? html`<p class="hint">${booking.moveNoticeHours === null ? 'To move it, please contact the studio.' : `It can be moved online until ${booking.moveNoticeHours} hours before. To move it now, please contact the studio.`}</p>` : ''}
${
  booking.mayCancel
    ? html`<details class="cancel"><summary>Cancel this booking</summary><form method="post" action="/booking/${token}">${hiddenInputs({ act: 'cancel' })}<p>The time goes to somebody else at once.</p><button class="button quiet">Yes, cancel it</button></form></details>`
    : ''
}
${branding.site ? html`<p class="hint"><a href="${branding.site.address}"><bdi>${booking.artist}</bdi>’s site</a></p>` : ''}`,
    refused?.status ?? 200,
  )
}

/** The days to which the booking can be moved. */
export function moveMonthPage(branding: Branding, token: string, booking: OwnBooking, month: MonthPage): Rendered {
  const urlOf = (query: Record<string, string>) =>
    `/booking/${token}?${new URLSearchParams({ move: '1', ...query }).toString()}`
  return page(
    branding,
    `Another time · ${booking.artist}`,
    html`<h1>Another time</h1><p class="chosen">Now: ${booking.when}</p>${monthTable(month, chooseByLink(urlOf), 2, branding.site && hasContactSection(branding.site) ? `${branding.site.address}#contact` : undefined)}
<p class="zone">All times are ${month.zone}: the studio’s.</p><p class="hint"><a href="/booking/${token}">Leave it as it is</a></p>`,
  )
}

/** The times of a day to which the booking can be moved. */
export function moveDayPage(
  branding: Branding,
  token: string,
  booking: OwnBooking,
  day: Pick<DayPage, 'day' | 'slots' | 'zone'>,
  refused?: Refused,
): Rendered {
  const date = day.day.toString()
  const isFull = day.slots.length === 0
  return page(
    branding,
    `Another time · ${booking.artist}`,
    html`<h1>Another time</h1><p class="chosen">Now: ${booking.when}</p>
${refused ? html`<div class="refused" role="alert"><p>${refused.message}</p></div>` : ''}
<form method="post" action="/booking/${token}">${hiddenInputs({ act: 'move', day: date })}
<fieldset class="slots"><legend>${formatDay(date)} <small>${day.zone}</small></legend>${isFull ? html`<p class="none">Nothing is free on this day any more.</p>` : slotChoice(day.slots, undefined)}</fieldset>
<p class="send">${isFull ? '' : html`<button class="button">Move to this time</button> `}<a class="button quiet" href="/booking/${token}?move=1&amp;month=${date.slice(0, 7)}">Another day</a></p></form>
<p class="hint"><a href="/booking/${token}">Leave it as it is</a></p>`,
    refused?.status ?? 200,
  )
}
