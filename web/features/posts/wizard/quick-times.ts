export type QuickTime = { label: string; at: Date }

const monday = 1

/** Times to choose with one press, in the viewer's time zone: this evening, tomorrow morning, and Monday evening. */
export function quickTimes(now: Date): QuickTime[] {
  const on = (days: number, hour: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour)
  const toMonday = (monday + 7 - now.getDay()) % 7 || 7
  return [
    // Less than an hour before, it would hardly differ from posting now.
    ...(now.getHours() < 18 ? [{ label: 'Tonight 7 PM', at: on(0, 19) }] : []),
    { label: 'Tomorrow 10 AM', at: on(1, 10) },
    { label: toMonday === 7 ? 'Next Monday 6 PM' : 'Monday 6 PM', at: on(toMonday, 18) },
  ]
}
