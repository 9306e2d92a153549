import type { DropTarget } from '../../calendar/calendar-drag.ts'

/** The instant of a dropped post in the viewer's time zone; a drop on a day keeps the time of day. */
export function droppedAt(at: number, { day, minutes }: DropTarget): number {
  const was = new Date(at)
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const hour = minutes === null ? was.getHours() : Math.floor(minutes / 60)
  const minute = minutes === null ? was.getMinutes() : minutes % 60
  return new Date(year, month - 1, date, hour, minute).getTime()
}

/** Adds days and minutes in the viewer's time zone: a day later is the same time of day. */
export function nudgedAt(at: number, by: { days: number; minutes: number }): number {
  const moved = new Date(at)
  moved.setDate(moved.getDate() + by.days)
  return moved.getTime() + by.minutes * 60_000
}
