import { type BookingType, bookingTypes } from '@flashsheet/contracts/appointments/limits'
import {
  requestedTime,
  dayPage,
  monthOf,
  readFormDay,
  sendForm,
  type FormOutcome,
  type FormValues,
} from '../features/appointments/service/site-form.ts'
import { bookDayPage, bookMonthPage, sentPage, typeNames } from './book-view.ts'
import { readForm } from './form-body.ts'
import type { Rendered } from './rendered.ts'
import type { Visit } from './site-pages.ts'

const readType = (name: string | undefined): BookingType =>
  bookingTypes.find((type) => typeNames[type] === name) ?? bookingTypes[0]

/** Choosing type and time: a month of free days, then the free times of one (works without scripts). */
export async function showBooking({ ctx, scope, site, c }: Visit): Promise<Rendered> {
  const type = readType(c.req.query('type'))
  const day = readFormDay(c.req.query('day'))
  if (day) {
    const page = await dayPage(ctx, scope, { type, day })
    return bookDayPage(site, page, { typed: emptyForm, timeSlot: c.req.query('time') ?? '' })
  }
  return bookMonthPage(site, await monthOf(ctx, scope, { type, month: c.req.query('month') }), undefined)
}

/** Handles a submitted form. Every answer except the confirmation keeps everything that was typed. */
export async function takeBooking({ ctx, scope, site, c }: Visit): Promise<Rendered | Response> {
  const form = await readForm(c)
  const field = (name: string) => form.get(name)?.trim() ?? ''
  const type = readType(field('type'))
  const typed: FormValues = { name: field('name'), email: field('email'), phone: field('phone'), notes: field('notes') }
  const token = field('token')
  // A button for another day or time: it books nothing and keeps the values.
  const [pickedDay, pickedTime = ''] = field('pick').split(' ')
  const picked = readFormDay(pickedDay)
  if (picked)
    return bookDayPage(site, await dayPage(ctx, scope, { type, day: picked, token }), { typed, timeSlot: pickedTime })
  const day = readFormDay(field('day'))
  if (form.has('month') || !day)
    return bookMonthPage(site, await monthOf(ctx, scope, { type, month: field('month') || undefined }), {
      typed,
      token,
    })
  const page = await dayPage(ctx, scope, { type, day, token })
  const outcome: FormOutcome = await sendForm(ctx, scope, site.domainName, {
    type,
    day,
    timeSlot: field('time'),
    typed,
    token,
    trapped: field(page.trap) !== '',
  })
  if (outcome.state === 'again') return bookDayPage(site, page, { typed, timeSlot: field('time'), refused: outcome })
  const query = new URLSearchParams({
    type: typeNames[type],
    day: day.toString(),
    time: field('time'),
    ...(outcome.mailed ? { mail: 'yes' } : {}),
  })
  return c.redirect(`${site.base}/book/sent?${query.toString()}`, 303)
}

/** The confirmation page, which may be read any number of times. */
export async function showSent({ ctx, scope, site, c }: Visit): Promise<Rendered> {
  const type = readType(c.req.query('type'))
  const time = await requestedTime(ctx, scope, {
    type,
    day: readFormDay(c.req.query('day')),
    timeSlot: c.req.query('time') ?? '',
  })
  return sentPage(site, { type, time, mailed: c.req.query('mail') === 'yes' })
}

const emptyForm: FormValues = { name: '', email: '', phone: '', notes: '' }
