import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { isMissingAtStripe, wasAnswered } from './stripe.ts'
import { receivedEvent } from './stripe-objects.ts'

const refusal = (statusCode: number | undefined, code: string, param?: string) =>
  new Stripe.errors.StripeInvalidRequestError({
    type: 'invalid_request_error',
    message: 'no',
    code,
    ...(statusCode === undefined ? {} : { statusCode }),
    ...(param === undefined ? {} : { param }),
  } as ConstructorParameters<typeof Stripe.errors.StripeInvalidRequestError>[0])

test('a request has its final answer, unless there was none or another one with its key was under way', () => {
  expect(wasAnswered(refusal(400, 'parameter_invalid'))).toBe(true)
  expect(wasAnswered(refusal(409, 'idempotency_key_in_use'))).toBe(false)
  expect(wasAnswered(refusal(undefined, 'connection'))).toBe(false)
  expect(wasAnswered(new Error('no'))).toBe(false)
})

test('only the object in the given parameter counts as missing', () => {
  const error = refusal(400, 'resource_missing', 'price')
  expect(isMissingAtStripe(error)).toBe(true)
  expect(isMissingAtStripe(error, 'price')).toBe(true)
  expect(isMissingAtStripe(error, 'customer')).toBe(false)
})

test.each([
  ['dispute', { id: 'dp_1', charge: 'ch_1' }, { charge: 'ch_1' }],
  ['charge', { id: 'ch_1', customer: { id: 'cus_1' } }, { charge: 'ch_1', customer: 'cus_1' }],
  [
    'invoice',
    { id: 'in_1', parent: { subscription_details: { subscription: 'sub_1' } } },
    { invoice: 'in_1', subscription: 'sub_1' },
  ],
])('an event about a %s names what it is about', (object, fields, subjects) => {
  const event = { id: 'evt_1', type: `${object}.changed`, created: 1, data: { object: { object, ...fields } } }
  expect(receivedEvent(event as unknown as Stripe.Event)).toMatchObject({ subjects, createdAt: new Date(1000) })
})
