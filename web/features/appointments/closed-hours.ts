import type { Availability } from '@flashsheet/contracts/appointments/schema'
import { parseDate } from '@internationalized/date'

type Span = { from: number; to: number }

const wholeDay: Span = { from: 0, to: 24 * 60 }

/** The times of a day at which the artist does not work, in minutes since midnight. They may overlap. */
export function closedSpans(day: string, { weekly, blocks }: Pick<Availability, 'weekly' | 'blocks'>): Span[] {
  const hours = weekly[parseDate(day).toDate('UTC').getUTCDay()]
  if (!hours) return [wholeDay]
  return [
    { from: 0, to: hours.from },
    ...hours.breaks,
    { from: hours.to, to: wholeDay.to },
    ...blocks.filter((block) => block.firstDay <= day && day <= block.lastDay),
  ].map(({ from, to }) => ({ from, to }))
}

/** The closed times as CSS gradients for a column that is 24 hours high. */
export function shadeOf(day: string, rules: Pick<Availability, 'weekly' | 'blocks'>): string {
  const percent = (minutes: number) => `${(minutes / 14.4).toFixed(3)}%`
  return closedSpans(day, rules)
    .filter(({ from, to }) => from < to)
    .map(
      ({ from, to }) =>
        `linear-gradient(transparent ${percent(from)}, var(--shaded) ${percent(from)} ${percent(to)}, transparent ${percent(to)})`,
    )
    .join(', ')
}
