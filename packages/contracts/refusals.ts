import { z } from 'zod'

type Issue = z.core.$ZodRawIssue

const types: Record<string, string> = {
  string: 'Please send text here.',
  number: 'Please enter a number.',
  int: 'Please enter a whole number.',
  nan: 'Please enter a number.',
  boolean: 'Please send true or false here.',
  array: 'Please send a list here.',
  object: 'Please send an object here.',
  record: 'Please send an object here.',
}

const formats: Record<string, string> = {
  email: 'Please enter a valid email address.',
  url: 'Please enter a web address, such as https://studio.example.',
  uuid: 'This is not a valid id.',
  datetime: 'Please send a time such as 2026-05-04T15:00:00Z.',
  date: 'Please send a day such as 2026-05-04.',
}

const tooBigMessage = ({ origin, maximum }: { origin: string; maximum: number | bigint }): string => {
  if (origin === 'string') return `Please keep it to ${maximum} characters.`
  if (origin === 'array' || origin === 'set') return `Please send ${maximum} at most.`
  return `Please enter a number of at most ${maximum}.`
}

type TooSmall = { origin: string; minimum: number | bigint; inclusive?: boolean | undefined }

const tooSmallMessage = ({ origin, minimum, inclusive }: TooSmall): string => {
  if (origin === 'string')
    return Number(minimum) <= 1 ? 'Please fill this in.' : `Please use at least ${minimum} characters.`
  if (origin === 'array' || origin === 'set')
    return Number(minimum) <= 1 ? 'Please choose at least one.' : `Please send at least ${minimum}.`
  return `Please enter a number ${inclusive === false ? 'above' : 'of at least'} ${minimum}.`
}

/**
 * The default messages of contracts, in place of zod's. Import this file wherever messages of contracts are shown or
 * returned.
 */
function defaultMessage(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined && issue.expected !== 'object') return 'Please fill this in.'
      return types[issue.expected] ?? 'This value is not valid here.'
    case 'too_big':
      return tooBigMessage(issue)
    case 'too_small':
      return tooSmallMessage(issue)
    case 'invalid_format':
      return formats[issue.format] ?? 'This does not have the right format.'
    case 'invalid_value':
      return `Please choose ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}.`
    case 'not_multiple_of':
      return `Please enter a multiple of ${issue.divisor}.`
    case 'unrecognized_keys':
      return `There is no field ${issue.keys.join(', ')} here.`
    default:
      return 'This value is not valid here.'
  }
}

z.config({ customError: defaultMessage })
