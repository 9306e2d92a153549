/** Thrown anywhere in a handler to end the request with a JSON answer: Hono sends what `getResponse` returns. */
export class Refusal extends Error {
  readonly #answer: Response
  constructor(status: number, body: unknown, headers: Record<string, string> = {}) {
    super(`refused with ${status}`)
    this.#answer = Response.json(body, { status, headers })
  }

  getResponse(): Response {
    return this.#answer
  }
}
