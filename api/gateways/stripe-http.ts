import Stripe from 'stripe'

/** Stripe's own objects say in `object` what they are, and refusals have an `error`. */
const isFromStripe = (body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  (('object' in body && typeof body.object === 'string') || 'error' in body)

/**
 * The SDK's HTTP client, which takes no other JSON for an answer of Stripe: the SDK would hand out whatever a proxy or an
 * outage sends, of any status, as the object that was asked for. It reports what this refuses as a `StripeError`.
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
