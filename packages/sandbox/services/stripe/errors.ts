type Kind = 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'

/** A refusal in Stripe's shape. */
export class StripeError extends Error {
  readonly status: number
  readonly kind: Kind
  readonly code: string | undefined
  readonly param: string | undefined
  readonly declineCode: string | undefined

  constructor(
    status: number,
    kind: Kind,
    message: string,
    details: { code?: string; param?: string; declineCode?: string } = {},
  ) {
    super(message)
    this.status = status
    this.kind = kind
    this.code = details.code
    this.param = details.param
    this.declineCode = details.declineCode
  }

  body(requestId: string) {
    return {
      error: {
        ...(this.code && {
          code: this.code,
          doc_url: `https://stripe.com/docs/error-codes/${this.code.replaceAll('_', '-')}`,
        }),
        ...(this.declineCode && { decline_code: this.declineCode }),
        message: this.message,
        ...(this.param && { param: this.param }),
        request_log_url: `https://dashboard.stripe.com/test/logs/${requestId}`,
        type: this.kind,
      },
    }
  }
}

/** 400: an invalid request. */
export function invalid(message: string, param?: string, code?: string): StripeError {
  return new StripeError(400, 'invalid_request_error', message, { ...(code && { code }), ...(param && { param }) })
}

/** What `work` returns, or why Stripe refuses it. */
export function orMessage<T>(work: () => T): T | string {
  try {
    return work()
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
