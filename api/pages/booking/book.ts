import { type BookingType, bookingTypes } from '@flashsheet/contracts/appointments/limits'
import { CreateAppointmentInput } from '@flashsheet/contracts/appointments/schema'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { containsNul } from '../../core/text.ts'
import {
  requestedTime,
  dayPage,
  monthOf,
  readFormDay,
  sendForm,
  type FormOutcome,
} from '../../features/appointments/service/site-form.ts'
import { isAnsweredBeforeStart } from '../../features/appointments/rules/changes.ts'
import type { SiteContent } from '../../features/website/service/public-site.ts'
import {
  bookDayPage,
  bookMonthPage,
  closedBookPage,
  pieceNote,
  sentPage,
  typedFields,
  typeSlugs,
  type FormValues,
  type Refused,
  type Shown,
} from './book-view.ts'
import { findFlash } from '../flash.ts'
import { readForm } from '../form-body.ts'
import { withRetryAfter } from '../notices.ts'
import type { Rendered } from '../rendered.ts'
import type { Visit } from '../site-pages.ts'

const readType = (name: string | undefined): BookingType =>
  bookingTypes.find((type) => typeSlugs[type] === name) ?? bookingTypes[0]

/** The requested piece of flash, if the site shows it; once it is taken, a notice about that instead. */
function requestedPiece(site: SiteContent, token: string | undefined): Shown {
  const piece = findFlash(site, token)
  return piece?.isTaken
    ? { piece: undefined, notice: 'This piece has been taken in the meantime. You can still ask for a time.' }
    : { piece, notice: undefined }
}

/** The piece was taken while its form was open. The form is shown again without it. */
const pieceTaken: Refused = {
  status: 409,
  message: 'This piece has just been taken. You can still ask for the time.',
  fields: {},
  next: [],
}

/** Shows a month of free days, or the form with the free times of the requested day. */
export async function showBooking({ ctx, scope, site, c }: Visit): Promise<Rendered> {
  if (!site.takesBookings) return closedBookPage(site)
  const type = readType(c.req.query('type'))
  const shown = requestedPiece(site, c.req.query('flash'))
  const day = readFormDay(c.req.query('day'))
  if (day) {
    const page = await dayPage(ctx, scope, { type, day })
    return bookDayPage(site, page, { ...shown, typed: emptyForm, timeSlot: c.req.query('time') ?? '' })
  }
  return bookMonthPage(site, await monthOf(ctx, scope, { type, month: c.req.query('month') }), shown)
}

/** Handles a submitted form. Every answer except the confirmation contains the typed values. */
export async function submitBooking({ ctx, scope, site, c }: Visit): Promise<Rendered | Response> {
  const form = await readForm(c)
  const field = (name: string) => form.get(name)?.trim() ?? ''
  const type = readType(field('type'))
  const typed = typedValues(form)
  const token = field('token')
  const shown = requestedPiece(site, field('flash'))
  // The button for another day or time books nothing.
  const [pickedDay, pickedTime = ''] = field('pick').split(' ')
  const picked = readFormDay(pickedDay)
  if (picked)
    return bookDayPage(site, await dayPage(ctx, scope, { type, day: picked, token }), {
      ...shown,
      typed,
      timeSlot: pickedTime,
    })
  const day = readFormDay(field('day'))
  if (form.has('month') || !day)
    return bookMonthPage(site, await monthOf(ctx, scope, { type, month: field('month') || undefined }), {
      ...shown,
      carried: { typed, token },
    })
  const page = await dayPage(ctx, scope, { type, day, token })
  const again = { ...shown, typed, timeSlot: field('time') }
  if (shown.notice !== undefined) return bookDayPage(site, page, { ...again, refused: pieceTaken })
  const parsed = readBooking(
    { domainName: site.domainName, type, day: day.toString(), timeSlot: field('time') },
    shown.piece ? { ...typed, notes: `${pieceNote(shown.piece)}${typed.notes}`.trim() } : typed,
  )
  const outcome: FormOutcome =
    'state' in parsed
      ? parsed
      : await sendForm(ctx, scope, { input: parsed, token, isHoneypotFilled: field(page.honeypotField) !== '' })
  if (outcome.state === 'again')
    return withRetryAfter(bookDayPage(site, page, { ...again, refused: outcome }), outcome.retryAfter)
  const query = new URLSearchParams({
    type: typeSlugs[type],
    day: day.toString(),
    time: field('time'),
    ...(outcome.mailed ? { mail: 'yes' } : {}),
  })
  return c.redirect(`${site.base}/book/sent?${query.toString()}`, 303)
}

/** The confirmation page; it can be loaded repeatedly. */
export async function showSent({ ctx, scope, site, c }: Visit): Promise<Rendered> {
  const type = readType(c.req.query('type'))
  const time = await requestedTime(ctx, scope, {
    type,
    day: readFormDay(c.req.query('day')),
    timeSlot: c.req.query('time') ?? '',
  })
  return sentPage(site, {
    type,
    time,
    isAnsweredBeforeStart: time !== undefined && isAnsweredBeforeStart(ctx.now(), time.startsAt),
    mailed: c.req.query('mail') === 'yes',
  })
}

/** Browsers send a line break as two characters, but count it as one. */
const typedValues = (form: URLSearchParams): FormValues =>
  Object.fromEntries(
    typedFields.map((name) => [name, form.get(name)?.replaceAll('\r\n', '\n').trim() ?? '']),
  ) as FormValues
const emptyForm = typedValues(new URLSearchParams())

/** The input of `POST /api/appointments`, or the errors to show at the fields. */
function readBooking(
  { domainName, type, day, timeSlot }: { domainName: string; type: BookingType; day: string; timeSlot: string },
  { name, email, phone, ...content }: FormValues,
): CreateAppointmentInput | Extract<FormOutcome, { state: 'again' }> {
  const values = { domainName, bookingType: type, timeSlot, date: day, contact: { name, email, phone }, ...content }
  const parsed = CreateAppointmentInput.safeParse(values)
  if (parsed.success && !containsNul(values)) return parsed.data
  const fields: Record<string, string> = {}
  for (const issue of parsed.error?.issues ?? []) fields[String(issue.path.at(-1))] ??= issue.message
  const message = parsed.error?.issues[0]?.message ?? errorMessages.malformed
  return { state: 'again', status: 400, message, fields, next: [] }
}
