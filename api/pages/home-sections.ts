import { formatClock } from '@flashsheet/contracts/appointments/rules'
import { weekdayNames } from '@flashsheet/contracts/time'
import type { DayHours } from '@flashsheet/contracts/appointments/schema'
import { html, raw } from 'hono/html'
import type { SiteContent } from '../features/website/service/public-site.ts'
import type { Html } from './rendered.ts'

/** A text as it was typed: an empty line begins a paragraph. */
export function paragraphs(text: string): Html {
  const parts = text
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter(Boolean)
  return html`${parts.map((part) => html`<p dir="auto">${part.split('\n').map((line, i) => html`${i > 0 ? raw('<br>') : ''}${line}`)}</p>`)}`
}

export const section = (id: string, title: string, content: Html): Html =>
  html`<section id="${id}"><div class="wide"><h2>${title}</h2>${content}</div></section>`

export function services({ sections }: SiteContent): Html | '' {
  if (sections.services.length === 0) return ''
  return section(
    'services',
    'Services',
    html`<ul class="services">${sections.services.map((one) => html`<li dir="auto"><div><h3>${one.name}</h3>${one.note ? html`<p>${one.note}</p>` : ''}</div>${one.price ? html`<b>${one.price}</b>` : ''}</li>`)}</ul>`,
  )
}

export function questions({ sections }: SiteContent): Html | '' {
  if (sections.questions.length === 0) return ''
  return section(
    'questions',
    'Questions',
    html`<div class="questions">${sections.questions.map((one) => html`<details dir="auto"><summary>${one.question}</summary><div class="words">${paragraphs(one.answer)}</div></details>`)}</div>`,
  )
}

export function aftercare({ sections }: SiteContent): Html | '' {
  if (sections.aftercare === '') return ''
  return section('aftercare', 'Aftercare', html`<div class="words">${paragraphs(sections.aftercare)}</div>`)
}

const dayAndMonth = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' })
const dayMonthYear = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })
const midnight = (day: string) => new Date(`${day}T00:00:00Z`)

/** `March 3 to March 9, 2027`. */
function formatDays({ from, to }: { from: string; to: string }): string {
  const last = dayMonthYear.format(midnight(to))
  if (from === to) return last
  const first = from.slice(0, 4) === to.slice(0, 4) ? dayAndMonth : dayMonthYear
  return `${first.format(midnight(from))} to ${last}`
}

export function guestSpots({ sections }: SiteContent): Html | '' {
  if (sections.guestSpots.length === 0) return ''
  const spots = sections.guestSpots.toSorted((a, b) => a.from.localeCompare(b.from))
  return section(
    'guest-spots',
    'Guest spots',
    html`<dl class="facts">${spots.map((spot) => html`<dt>${formatDays(spot)}</dt><dd><bdi>${spot.place}</bdi></dd>`)}</dl>`,
  )
}

/** The days as shown, with Sunday as 0: opening hours are usually listed from Monday. */
const mondayFirst = [1, 2, 3, 4, 5, 6, 0]

const formatHours = (day: DayHours | null) => (day ? `${formatClock(day.from)} to ${formatClock(day.to)}` : 'Closed')

export function hours({ weekly }: SiteContent): Html | '' {
  if (!weekly?.some((day) => day !== null)) return ''
  const spans: { first: string; last: string; words: string }[] = []
  for (const at of mondayFirst) {
    const [name, words] = [weekdayNames[at] ?? '', formatHours(weekly[at] ?? null)]
    const before = spans.at(-1)
    if (before?.words === words) before.last = name
    else spans.push({ first: name, last: name, words })
  }
  return section(
    'hours',
    'Hours',
    html`<dl class="facts">${spans.map(({ first, last, words }) => html`<dt>${first === last ? first : `${first} to ${last}`}</dt><dd>${words}</dd>`)}</dl>`,
  )
}
