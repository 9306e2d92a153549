import type { Hono } from 'hono'
import { ClientDisconnected } from '../../core/body.ts'
import { AppError, errorTable } from '../../core/errors.ts'
import type { System } from '../../core/context.ts'
import { consumeRateLimit } from '../../core/limits.ts'
import { anonymousCtx } from '../../core/request-ctx.ts'
import type { HttpContext, HttpEnv } from '../../core/rest.ts'
import {
  cancelBooking,
  listDaysToMove,
  moveBooking,
  getBookingByLink,
  listSlotsToMove,
} from '../../features/appointments/service/client-link.ts'
import { readFormDay } from '../../features/appointments/service/site-form.ts'
import { type FoundAddress, visitSite } from '../../features/website/service/public-site.ts'
import { readForm } from '../form-body.ts'
import { defaultTheme } from '../site-style.ts'
import { failedPage } from '../notices.ts'
import { moveDayPage, moveMonthPage, ownBookingPage, unknownLink, type Branding } from './own-booking-view.ts'
import { toCachedPage } from '../cached-page.ts'
import type { Rendered } from '../rendered.ts'
import { writePage } from '../serve-cached-page.ts'

/**
 * A client's private pages about one booking, at /booking/<token>: GET shows it, POST moves or cancels it. They work
 * without scripts or a log-in, also after the site was closed, and send no referrer, since the address is secret.
 */
export function mountOwnBookings(app: Hono<HttpEnv>, system: System): void {
  const answer = (c: HttpContext, page: Rendered) =>
    writePage(c, {
      ...toCachedPage({
        ...page,
        headers: { ...page.headers, 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' },
      }),
      etag: '',
    })

  const handler = (run: (c: HttpContext, token: string) => Promise<Rendered | Response>) => async (c: HttpContext) => {
    try {
      const result = await run(c, c.req.param('token') ?? '')
      return result instanceof Response ? result : answer(c, result)
    } catch (error) {
      if (error instanceof AppError && error.kind === 'notFound') return answer(c, unknownLink())
      if (error instanceof ClientDisconnected) throw error
      return answer(c, failedPage(system.log, error, { method: c.req.method, path: '/booking' }))
    }
  }

  app.get(
    '/booking/:token',
    handler(async (c, token) => {
      const booking = await getBookingByLink(system, token)
      const branding = await brandingOf(system, booking.domainName)
      if (!c.req.query('move') || !booking.mayMove) return ownBookingPage(branding, token, booking, c.req.query('done'))
      const day = readFormDay(c.req.query('day'))
      if (day) return moveDayPage(branding, token, booking, await listSlotsToMove(system, token, day))
      return moveMonthPage(branding, token, booking, await listDaysToMove(system, token, c.req.query('month')))
    }),
  )

  app.post(
    '/booking/:token',
    handler(async (c, token) => {
      await consumeRateLimit(system, 'bookingChangesPerIp', anonymousCtx(system, c).ip)
      const form = await readForm(c)
      const booking = await getBookingByLink(system, token)
      const branding = await brandingOf(system, booking.domainName)
      const day = readFormDay(form.get('day') ?? undefined)
      try {
        if (form.get('act') === 'cancel') await cancelBooking(system, token)
        else if (form.get('act') === 'move' && day)
          await moveBooking(system, token, { day, timeSlot: form.get('time') ?? '' })
        else return ownBookingPage(branding, token, booking, undefined)
      } catch (error) {
        if (!(error instanceof AppError) || error.kind === 'internal' || error.kind === 'notFound') throw error
        const refused = { status: errorTable[error.kind].status, message: error.message }
        const current = await getBookingByLink(system, token)
        if (day && current.mayMove && form.get('act') === 'move')
          return moveDayPage(branding, token, current, await listSlotsToMove(system, token, day), refused)
        return ownBookingPage(branding, token, current, undefined, refused)
      }
      return c.redirect(`/booking/${token}?done=${form.get('act') === 'cancel' ? 'cancelled' : 'moved'}`, 303)
    }),
  )
}

/** The artist's colours and name, while the site is open. */
async function brandingOf(system: System, domainName: string | undefined): Promise<Branding> {
  const found: FoundAddress = domainName === undefined ? { state: 'none' } : await visitSite(system, domainName)
  if (found.state !== 'open' && found.state !== 'holding') return { theme: defaultTheme, site: undefined }
  return { theme: found.content, site: found.state === 'open' ? found.content : undefined }
}
