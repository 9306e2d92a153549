import type { ClientNotification } from '@flashsheet/contracts/appointments/limits'
import type { MailText } from '../../core/mail.ts'

/** All facts of a client's mail. Text from the form is in it only after the artist has confirmed; otherwise the form could send any text to anybody. */
type ClientFacts = {
  artist: string
  /** The client's name, empty until the artist has confirmed. */
  client: string
  /** The studio's name and address, as far as the site has them. */
  where: string
  /** The artist's address for replies; empty if clients may not know one. */
  replyTo: string
  bookingType: string
  when: string
  short: string
  /** The private link; absent once the booking has ended. */
  link: string | undefined
  /** Whether the client may still move the booking by the link. */
  mayMove: boolean
  /** Where another time can be requested; absent while the site is not open or takes no bookings. */
  bookUrl: string | undefined
  confirmed: boolean
  calendar: string | undefined
}

const subjects: Record<ClientNotification, (facts: ClientFacts) => string> = {
  requested: ({ artist }) => `Your booking request to ${artist}`,
  confirmed: ({ artist, short }) => `Confirmed: your booking with ${artist} on ${short}`,
  moved: ({ artist, short }) => `New time: your booking with ${artist} on ${short}`,
  cancelled: ({ artist, short }) => `Cancelled: your booking with ${artist} on ${short}`,
  declined: ({ artist }) => `${artist} cannot take your booking request`,
  expired: ({ artist }) => `Your booking request to ${artist} was not answered`,
  reminder: ({ artist, short }) => `Reminder: your booking with ${artist} on ${short}`,
}

const openings: Record<ClientNotification, (facts: ClientFacts) => string> = {
  requested: ({ artist }) => `${artist} has your request and will answer it soon. The time is held for you until then.`,
  confirmed: ({ artist }) => `${artist} has confirmed your booking.`,
  moved: ({ confirmed, artist }) =>
    confirmed
      ? 'Your booking has a new time.'
      : `Your booking request has a new time. ${artist} will still confirm it.`,
  cancelled: () => 'Your booking was cancelled. You do not need to do anything else.',
  declined: ({ artist, bookUrl }) =>
    `${artist} cannot take your request for this time.${bookUrl ? ' You are welcome to ask for another one.' : ''}`,
  expired: ({ artist, bookUrl }) =>
    `${artist} did not answer your request in time, so it was cancelled and the time is no longer held.${bookUrl ? ' You are welcome to ask again.' : ''}`,
  reminder: ({ artist }) => `This is a reminder of your booking with ${artist}.`,
}

/** The mail that notifies a client of a booking or its change. */
export function clientMail(notification: ClientNotification, facts: ClientFacts): MailText {
  return {
    subject: subjects[notification](facts),
    greeting: facts.client ? `Hello ${facts.client},` : 'Hello,',
    paragraphs: [
      openings[notification](facts),
      ...(facts.link
        ? [
            `Your private link below shows the booking and lets you ${facts.mayMove ? 'move or cancel it' : 'cancel it'}. Please keep it to yourself.`,
            ...(facts.mayMove ? [] : ['To move it, please contact the studio.']),
          ]
        : []),
    ],
    facts: [
      { label: 'What', value: facts.bookingType },
      { label: 'When', value: facts.when },
      ...(facts.where ? [{ label: 'Where', value: facts.where }] : []),
    ],
    ...(facts.link ? { button: { label: 'See your booking', url: facts.link } } : {}),
    ...(facts.bookUrl && (notification === 'declined' || notification === 'expired')
      ? { button: { label: 'Ask for another time', url: facts.bookUrl } }
      : {}),
    ...(facts.replyTo ? { replyTo: facts.replyTo } : {}),
    ...(facts.calendar === undefined ? {} : { calendar: facts.calendar }),
    reason: `You are getting this email because this address was given for a booking with ${facts.artist} at Flashsheet. If that was not you, you can ignore it.`,
  }
}
