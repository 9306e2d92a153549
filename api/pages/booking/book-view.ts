import { appointmentLimits, type BookingType, bookingTypes } from '@flashsheet/contracts/appointments/limits'
import { formatClock } from '@flashsheet/contracts/appointments/rules'
import type { FreeTime } from '@flashsheet/contracts/appointments/schema'
import { weekdayNames } from '@flashsheet/contracts/time'
import { html, raw } from 'hono/html'
import type { DayPage, MonthPage } from '../../features/appointments/service/site-form.ts'
import { dayOf } from '../../features/appointments/rules/clock.ts'
import { formatTime } from '../../features/appointments/rules/format-time.ts'
import type { PublicFlash, SiteContent } from '../../features/website/service/public-site.ts'
import { hasContactSection } from '../contact.ts'
import { sitePage } from '../layout.ts'
import type { Html, Rendered } from '../rendered.ts'

/** The booking types in URLs. */
export const typeSlugs: Record<BookingType, string> = {
  '1 Hour Booking': 'hour',
  '1/2 Day Booking': 'half',
  'Full Day Booking': 'full',
}

/** The booking types as they are displayed. */
export const bookingNames: Record<BookingType, string> = {
  '1 Hour Booking': '1 hour',
  '1/2 Day Booking': 'Half day',
  'Full Day Booking': 'Full day',
}

/** `4 hours`, `1½ hours`. */
function formatLength(minutes: number): string {
  const hours = `${Math.floor(minutes / 60) || ''}${minutes % 60 ? '½' : ''}`
  return `${hours} ${minutes <= 60 ? 'hour' : 'hours'}`
}

const fullDay = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' })
const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })
/** `Tuesday, November 24`. */
export const formatDay = (day: string) => fullDay.format(new Date(`${day}T00:00:00Z`))

/** The fields that a client types into. */
export const typedFields = ['name', 'email', 'phone', 'notes'] as const
/** Their values, as typed. */
export type FormValues = Record<(typeof typedFields)[number], string>
type Piece = PublicFlash | undefined
/** The requested piece of flash, if any, and what a page says above its content. */
export type Shown = { piece: Piece; notice: string | undefined }
const pieceParams = (piece: Piece): Record<string, string> => (piece ? { flash: piece.token } : {})

/** A line about the piece, which precedes the client's notes. */
export const pieceNote = (piece: PublicFlash): string => `Flash: ${piece.title}${piece.price && `, ${piece.price}`}\n`

function pieceSummary(piece: Piece): Html | '' {
  if (!piece) return ''
  const small = piece.plain[0]
  return html`<p class="piece">${small ? html`<img src="${small.url}" width="${small.width}" height="${small.height}" alt="">` : ''}<span>Flash: <b dir="auto">${piece.title}</b>${piece.price ? html`<br><bdi>${piece.price}</bdi>` : ''}</span></p>`
}

type CarriedValues = { typed: FormValues; token: string }

/** Renders a choice of a type (by its slug), month or day: a link, or a button, which also submits the values typed so far. */
type Choose = (name: 'type' | 'month' | 'day', value: string, content: Html | string, attributes?: Html | '') => Html

export const chooseByLink =
  (urlOf: (query: Record<string, string>) => string): Choose =>
  (name, value, content, attributes = '') =>
    html`<a href="${urlOf({ [name]: value })}"${attributes} rel="nofollow">${content}</a>`

// Within a sentence a link needs no class, but a button does.
const chooseByButton: Choose = (name, value, content, attributes = html` class="button quiet"`) =>
  html`<button name="${name === 'day' ? 'pick' : name}" value="${value}"${attributes}>${content}</button>`

const alert = (message: string | undefined) =>
  message === undefined ? '' : html`<div class="refused" role="alert" id="refused"><p>${message}</p></div>`

/** The page on which a client picks type and day. `carried`: values typed so far, which the page must not lose. */
export function bookMonthPage(
  site: SiteContent,
  page: MonthPage,
  { carried, piece, notice }: Shown & { carried?: CarriedValues },
): Rendered {
  const urlOf = (query: Record<string, string>) =>
    `${site.base}/book?${new URLSearchParams({ type: typeSlugs[page.type], ...query, ...pieceParams(piece) }).toString()}`
  const choose = carried ? chooseByButton : chooseByLink(urlOf)
  const carrying = (fields: Record<string, string>, content: Html) =>
    carried
      ? html`<form method="post" action="${site.base}/book">${hiddenInputs({ ...fields, token: carried.token, ...pieceParams(piece), ...carried.typed })}${content}</form>`
      : content
  const month = monthTable(page, choose, 3, hasContactSection(site) ? `${site.home}#contact` : undefined)
  return sitePage(site, {
    title: `Book · ${site.name}`,
    description: `Ask ${site.name} for a time.`,
    main: html`<div class="wide booking"><h1>Book</h1>${pieceSummary(piece)}${alert(notice)}
<div class="steps"><div><h2>What</h2>${carrying({ month: page.month.toString() }, typeChoice(page, choose))}</div>
<div><h2>When</h2>${carrying({ type: typeSlugs[page.type] }, month)}
<p class="zone">All times are ${page.zone}: the studio’s.</p></div></div></div>`,
  })
}

/** Shown at old links while the artist takes no bookings. */
export function closedBookPage(site: SiteContent): Rendered {
  return sitePage(site, {
    title: `Book · ${site.name}`,
    isNoindex: true,
    main: html`<div class="wide booking"><h1>Bookings are closed</h1>
<p class="lead"><bdi>${site.name}</bdi> takes no bookings right now.</p>${hasContactSection(site) ? html`<p class="send"><a class="button" href="${site.home}#contact">Get in touch</a></p>` : ''}</div>`,
  })
}

/** A month whose free days can be chosen. `contact` links to the artist when no day is free. */
export function monthTable(page: MonthPage, choose: Choose, level: 2 | 3, contact: string | undefined): Html {
  const turn = (month: string | undefined, label: string, sign: string) =>
    month === undefined
      ? html`<span class="turn" aria-hidden="true"></span>`
      : choose('month', month, sign, html` class="turn" aria-label="${label}"`)
  const title = monthFormat.format(new Date(`${page.month.toString()}-01T00:00:00Z`))
  return html`<div class="month">
<div class="turns">${turn(page.before, 'The month before', '‹')}${level === 2 ? html`<h2>${title}</h2>` : html`<h3>${title}</h3>`}${turn(page.after, 'The month after', '›')}</div>
<table aria-label="${title}"><thead><tr>${weekdayNames.map((name) => html`<th scope="col" abbr="${name}">${name.slice(0, 2)}</th>`)}</tr></thead><tbody>
${weeksOf(page).map((week) => html`<tr>${week.map((day) => html`<td>${day === undefined ? '' : dayCell(day, page, choose)}</td>`)}</tr>`)}
</tbody></table>
${page.next === undefined ? '' : nothingFree(title, page.next, choose, contact)}
</div>`
}

/** The sentence below a month without a free day, with the next free day or a link to the artist. */
function nothingFree(title: string, next: string | null, choose: Choose, contact: string | undefined): Html {
  if (next === null)
    return html`<p class="none">Nothing is free in ${title}, nor in the three months after it. ${contact ? html`<a href="${contact}">Please get in touch</a>.` : ''}</p>`
  return html`<p class="none">Nothing is free in ${title}. The next free day: ${choose('day', next, formatDay(next))}</p>`
}

function typeChoice(page: MonthPage, choose: Choose): Html {
  return html`<ul class="types">${page.types.map(({ type, minutes }) => {
    const current = type === page.type ? html` aria-current="true"` : ''
    const words = html`<b>${bookingNames[type]}</b>${formatLength(minutes) === bookingNames[type] ? '' : html`<span>${formatLength(minutes)}</span>`}`
    return html`<li>${choose('type', typeSlugs[type], words, current)}</li>`
  })}</ul>`
}

function dayCell({ day, free }: { day: string; free: number }, page: MonthPage, choose: Choose): Html {
  const number = String(Number(day.slice(8)))
  const todayClass = day === page.today ? raw(' class="today"') : ''
  return free === 0
    ? html`<span${todayClass}>${number}</span>`
    : choose('day', day, number, html`${todayClass} aria-label="${formatDay(day)}, ${free} free"`)
}

/** Weeks from Sunday to Saturday, with empty cells before the first day and after the last. */
function weeksOf(page: MonthPage): ({ day: string; free: number } | undefined)[][] {
  const emptyCells = page.month.toPlainDate({ day: 1 }).dayOfWeek % 7
  const cells = [...Array.from({ length: emptyCells }, () => undefined), ...page.days]
  return Array.from({ length: Math.ceil(cells.length / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_cell, day) => cells[week * 7 + day]),
  )
}

/** Hidden form fields. */
export const hiddenInputs = (fields: Record<string, string>) =>
  html`${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`

export type Refused = { status: number; message: string; fields: Record<string, string>; next: FreeTime[] }

/**
 * The free times of a day, and the form. After a refusal it has the reason, above and at its fields, and the typed values.
 * Enter in a field presses the form's first button, which therefore sends it and is not seen.
 */
export function bookDayPage(
  site: SiteContent,
  page: DayPage,
  shown: Shown & { typed: FormValues; timeSlot: string; refused?: Refused },
): Rendered {
  const { typed, timeSlot, piece, notice, refused } = shown
  const day = page.day.toString()
  const errorAt = (name: string) => refused?.fields[name]
  const picked =
    page.slots.find((slot) => slot.timeSlot === timeSlot) ?? (page.slots.length === 1 ? page.slots[0] : undefined)
  const typeName = page.type === bookingTypes[0] ? 'One hour' : bookingNames[page.type]
  const main = html`<div class="wide booking"><h1>Book</h1>${pieceSummary(piece)}
<form method="post" action="${site.base}/book${refused ? '#refused' : ''}" novalidate>
${page.slots.length === 0 ? '' : html`<p class="unseen" aria-hidden="true"><button tabindex="-1">Ask for this time</button></p>`}
<p class="chosen"><b>${typeName}</b> on <b>${formatDay(day)}</b> <button name="month" value="${day.slice(0, 7)}">Change</button></p>
${alert(refused?.message ?? notice)}
${hiddenInputs({ type: typeSlugs[page.type], day, token: page.token, ...pieceParams(piece) })}
<p class="unseen" aria-hidden="true"><label>Leave this empty <input name="${page.honeypotField}" value="" tabindex="-1" autocomplete="new-${page.honeypotField}"></label></p>
${
  page.slots.length === 0
    ? html`<p class="none">Nothing is free on this day any more.</p>${hiddenInputs(typed)}`
    : html`<fieldset class="slots${errorAt('timeSlot') ? ' wrong' : ''}"><legend>Time <small>${page.zone}</small></legend>
${slotChoice(page.slots, picked?.timeSlot)}
${fieldError(errorAt('timeSlot'), 'timeSlot')}</fieldset>`
}
${refused && refused.next.length > 0 ? nextTimes(refused.next, page) : ''}
${
  page.slots.length === 0
    ? html`<p class="send"><button class="button" name="month" value="${day.slice(0, 7)}">Choose another day</button></p>`
    : html`<div class="fields">
${textField('name', 'Your name', typed.name, { autocomplete: 'name', dir: 'auto' }, errorAt('name'))}
<div class="pair">
${textField('email', 'Email', typed.email, { type: 'email', autocomplete: 'email', inputmode: 'email' }, errorAt('email'))}
${textField('phone', 'Phone', typed.phone, { type: 'tel', autocomplete: 'tel', inputmode: 'tel' }, errorAt('phone'))}
</div><p class="hint">One of the two is enough. With an email address you get a confirmation, and a private link to your booking, for when plans change.</p>
<p class="field"><label for="notes">Notes</label><textarea id="notes" name="notes" rows="5" dir="auto" maxlength="${appointmentLimits.notes - (piece ? pieceNote(piece).length : 0)}"${errorAt('notes') ? raw(' aria-invalid="true" aria-describedby="notes-wrong"') : ''}>${typed.notes}</textarea>${fieldError(errorAt('notes'), 'notes')}</p>
</div>
<p class="send"><button class="button">Ask for this time</button> <button class="button quiet" name="month" value="${day.slice(0, 7)}">Choose another day</button></p>
<p class="hint"><bdi>${site.name}</bdi> gets your request and answers it. The time is held for you until then.</p>`
}
</form></div>`
  return sitePage(site, { title: `Book · ${site.name}`, main, isNoindex: true, status: refused?.status ?? 200 })
}

/**
 * Radio buttons for the free times. On a return to the page a browser would check the radio button at the former place, which may be
 * another time by then; `autocomplete` prevents that.
 */
export function slotChoice(slots: DayPage['slots'], picked: string | undefined): Html {
  return html`<div>${slots.map((slot) => html`<label><input type="radio" name="time" value="${slot.timeSlot}" autocomplete="off"${slot.timeSlot === picked ? raw(' checked') : ''}><span>${formatClock(slot.from)}<small>to ${formatClock(slot.to)}</small></span></label>`)}</div>`
}

function nextTimes(next: readonly FreeTime[], page: DayPage): Html {
  return html`<fieldset class="next"><legend>Next free</legend><div>${next.map((time) => {
    const day = dayOf(Date.parse(time.date), page.timeZone).toString()
    return html`<button class="button quiet" name="pick" value="${day} ${time.timeSlot}">${formatDay(day)}, ${time.timeSlot.split('-')[0] ?? ''}</button>`
  })}</div></fieldset>`
}

const fieldError = (message: string | undefined, name: string) =>
  message === undefined ? '' : html`<span class="said" id="${name}-wrong">${message}</span>`

function textField(
  name: string,
  label: string,
  value: string,
  attributes: Record<string, string>,
  error: string | undefined,
): Html {
  return html`<p class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" value="${value}"${Object.entries(attributes).map(([key, one]) => html` ${raw(key)}="${one}"`)}${error ? html` aria-invalid="true" aria-describedby="${name}-wrong"` : ''}>${fieldError(error, name)}</p>`
}

/** The confirmation page after a request. */
export function sentPage(
  site: SiteContent,
  sent: {
    type: BookingType
    time: { startsAt: Date; endsAt: Date; timeZone: string } | undefined
    isAnsweredBeforeStart: boolean
    mailed: boolean
  },
): Rendered {
  return sitePage(site, {
    title: `Request sent · ${site.name}`,
    isNoindex: true,
    main: html`<div class="wide notice"><h1>Your request is on its way</h1>
${sent.time ? html`<p><b>${bookingNames[sent.type]}</b><br>${formatTime(sent.time)}</p>` : ''}
<p><bdi>${site.name}</bdi> answers ${sent.isAnsweredBeforeStart ? 'before then' : 'within three days'}. ${sent.mailed ? 'You will get an email with a private link to it, for when plans change.' : html`<bdi>${site.name}</bdi> will be in touch by phone.`}</p>
<p><a href="${site.home}">Back to the home page</a></p></div>`,
  })
}
