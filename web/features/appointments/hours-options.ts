import { formatClock } from '@flashsheet/contracts/appointments/rules'
import { closingMinute, openingMinute } from '@flashsheet/contracts/appointments/limits'
import type { Option } from '../../ui/option-item.tsx'

const option = (value: number | null, label: string): Option<string> => ({ value: String(value), label })
const halfHours = (from: number, to: number) =>
  Array.from({ length: (to - from) / 30 + 1 }, (_, index) => from + index * 30)

const timesOf = (from: number, to: number) =>
  halfHours(from, to).map((minutes) => option(minutes, minutes === 1440 ? 'midnight' : formatClock(minutes)))

export const workingTimes = timesOf(openingMinute, closingMinute)
export const dayTimes = timesOf(0, 1440)

export const noticeChoices = [
  option(0, 'None'),
  ...[2, 6, 12].map((hours) => option(hours, `${hours} hours`)),
  option(24, '1 day'),
  ...[2, 3, 7, 14].map((days) => option(days * 24, `${days} days`)),
]
export const horizonChoices = [
  option(null, 'No end'),
  option(30, '1 month'),
  option(60, '2 months'),
  option(90, '3 months'),
  option(180, '6 months'),
  option(365, '1 year'),
]
export const bufferChoices = [
  option(0, 'None'),
  ...[15, 30, 45, 60, 90, 120].map((minutes) => option(minutes, `${minutes} minutes`)),
]
export const moveChoices = [
  option(null, 'Clients cannot move'),
  option(0, 'Until it begins'),
  ...[24, 48, 72].map((hours) => option(hours, `Until ${hours} hours before`)),
  option(168, 'Until 7 days before'),
]
export const lengthChoices = halfHours(30, 720).map((minutes) =>
  option(minutes, `${minutes / 60} ${minutes === 60 ? 'hour' : 'hours'}`),
)

/** The choices, and the current value if it is not one of them, because the API accepts any number. */
export function withCurrent(
  choices: readonly Option<string>[],
  current: number | null,
  label: (value: number | null) => string,
): readonly Option<string>[] {
  return choices.some((one) => one.value === String(current)) ? choices : [...choices, option(current, label(current))]
}

/** The reverse of `option`: its value as a number or null. */
export const optionValue = (value: string): number | null => (value === 'null' ? null : Number(value))
