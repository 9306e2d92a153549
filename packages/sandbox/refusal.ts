/** Thrown anywhere in a handler to end the request with an answer: Hono sends what `getResponse` returns. */
export class Refusal extends Error {
  readonly #answer: Response
  constructor(answer: Response) {
    super(`refused with ${answer.status}`)
    this.#answer = answer
  }

  getResponse(): Response {
    return this.#answer
  }
}
