import Stripe from 'stripe'

/** Stripe's objects have their type in `object`, and its refusals have an `error`. */
const isFromStripe = (body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  (('object' in body && typeof body.object === 'string') || 'error' in body)

/**
 * The SDK's HTTP client, which here refuses JSON that is not from Stripe. The SDK alone would return any JSON of a proxy or
 * an outage as the requested object. It reports the refusal as a `StripeError`.
 */
export function stripeHttpClient(): ReturnType<typeof Stripe.createNodeHttpClient> {
  const client = Stripe.createNodeHttpClient()
  const makeRequest = client.makeRequest.bind(client)
  client.makeRequest = async (...request) => {
    const response = await makeRequest(...request)
    const toJSON = response.toJSON.bind(response)
    response.toJSON = async () => {
      const body: unknown = await toJSON()
      if (!isFromStripe(body)) throw new Error('an answer that is not from Stripe')
      return body
    }
    return response
  }
  return client
}
