import type { Visitor } from './actors.ts'

type EventStream<T> = {
  /** The next value of the procedure. Throws when the stream ends first. */
  next: () => Promise<T>
  /** The number of values so far. */
  received: () => number
  /** Resolves once the server has ended the stream. */
  ended: Promise<void>
  close: () => void
}

/** Opens a tRPC subscription as a browser does, over SSE with the visitor's cookies. */
export async function openEvents<T>(
  visitor: Visitor,
  procedure: string,
  input: unknown = {},
  headers: Record<string, string> = { accept: 'text/event-stream' },
): Promise<EventStream<T>> {
  const closing = new AbortController()
  const response = await visitor.fetch(`/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`, {
    headers,
    signal: closing.signal,
  })
  const arrived: T[] = []
  let taken = 0
  let wake = Promise.withResolvers<void>()
  let hasEnded = false
  const ended = (async () => {
    let text = ''
    try {
      for await (const chunk of response.body ?? []) {
        text += new TextDecoder().decode(chunk, { stream: true })
        const events = text.split('\n\n')
        text = events.pop() ?? ''
        for (const event of events) {
          const data = /^data: (.*)$/m.exec(event)?.[1]
          // The greeting and pings have an event name; yielded values have none.
          if (data !== undefined && !/^event: /m.test(event)) arrived.push(JSON.parse(data) as T)
        }
        wake.resolve()
      }
    } catch (error) {
      if (!closing.signal.aborted) throw error
    } finally {
      hasEnded = true
      wake.resolve()
    }
  })()
  return {
    async next() {
      for (;;) {
        if (taken < arrived.length) return arrived[taken++]!
        if (hasEnded) throw new Error(`the stream of ${procedure} has ended`)
        wake = Promise.withResolvers<void>()
        await wake.promise
      }
    },
    received: () => arrived.length,
    ended,
    close: () => closing.abort(),
  }
}
