type Kind = 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'

type Details = { code?: string | undefined; param?: string | undefined; declineCode?: string }

/** A refusal in Stripe's shape. */
export class StripeError extends Error {
  readonly status: number
  readonly kind: Kind
  readonly #details: Details

  constructor(status: number, kind: Kind, message: string, details: Details = {}) {
    super(message)
    this.status = status
    this.kind = kind
    this.#details = details
  }

  body(requestId: string) {
    const { code, param, declineCode } = this.#details
    return {
      error: {
        ...(code && { code, doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}` }),
        ...(declineCode && { decline_code: declineCode }),
        message: this.message,
        ...(param && { param }),
        request_log_url: `https://dashboard.stripe.com/test/logs/${requestId}`,
        type: this.kind,
      },
    }
  }
}

/** 400: an invalid request. */
export function invalid(message: string, param?: string, code?: string): StripeError {
  return new StripeError(400, 'invalid_request_error', message, { code, param })
}

/** Why Stripe refuses this work; undefined when it is done. */
export function refusalOf(work: () => void): string | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    if (error instanceof StripeError) return error.message
    throw error
  }
}

export function missingParam(param: string): StripeError {
  return invalid(`Missing required param: ${param}.`, param, 'parameter_missing')
}

/** The stored object that a path names. Throws 404 when there is none. */
export function stored<T>(all: Record<string, T>, noun: string, id: string, param?: string): T {
  const found = all[id]
  if (!found) throw missing(noun, id, param)
  return found
}

/** The object named in the path does not exist (404), or one named in a parameter (400). */
export function missing(noun: string, id: string, param = 'id', status: 400 | 404 = 404): StripeError {
  return new StripeError(status, 'invalid_request_error', `No such ${noun}: '${id}'`, {
    code: 'resource_missing',
    param,
  })
}
