import { errorMessages } from '@flashsheet/contracts/errors/messages'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { asksForProblem, problemMembers, problemType } from './errors.ts'
import type { RestRow } from './rest.ts'

/** How long a body may take to arrive. */
export type BodyPace = {
  /** A body that is no file: all of it. */
  wholeMs: number
  /** A file: at least `leastBytes` in each period of so long. */
  periodMs: number
  leastBytes: number
}

/** Four kilobytes a second: less than the slowest phone connection (EDGE: about ten), and more than a slow-body attack sends. */
export const bodyPace: BodyPace = { wholeMs: 30_000, periodMs: 60_000, leastBytes: 60 * 4096 }

const lingerMs = 500

/** Whether a path takes files, which may take long to arrive. */
export function pathsOfFiles(table: readonly RestRow[]): (method: string, path: string) => boolean {
  const doors = table.filter((row) => row.takesFiles).map(({ method, path }) => ({ method, steps: path.split('/') }))
  return (method, path) => {
    const asked = path.split('/')
    return doors.some(
      (door) =>
        door.method === method &&
        door.steps.length === asked.length &&
        door.steps.every((step, n) => (step.startsWith(':') ? asked[n] !== '' : step === asked[n])),
    )
  }
}

/**
 * Closes a connection whose request body does not arrive in time, with 408 where nothing was answered yet. A body that waits for this process is
 * given more time: its sender cannot send more than is read.
 */
export function watchBody(
  request: IncomingMessage,
  response: ServerResponse,
  isFile: boolean,
  pace: BodyPace = bodyPace,
): void {
  const { headers, socket } = request
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return
  let before = socket.bytesRead
  const timer = setInterval(
    () => {
      if (request.complete) return stop()
      const arrived = socket.bytesRead - before
      before = socket.bytesRead
      if (request.readableLength > 0 || (isFile && arrived >= pace.leastBytes)) return
      stop()
      refuse(socket, response)
    },
    isFile ? pace.periodMs : pace.wholeMs,
  )
  timer.unref()
  const stop = () => {
    clearInterval(timer)
    request.off('end', stop)
    socket.off('close', stop)
  }
  // A connection outlives its requests: remove the listener with each request, or they would accumulate.
  request.once('end', stop)
  socket.once('close', stop)
}

function refuse(socket: Socket, response: ServerResponse): void {
  const asksForMore = asksForProblem(response.req.headers.accept)
  const body = JSON.stringify({
    ...(asksForMore ? problemMembers(408, errorMessages.tooSlow, undefined) : {}),
    message: errorMessages.tooSlow,
    code: 'tooSlow',
  })
  // Written to the socket by hand, as Node does: a reader of the body learns from the socket that it has ended.
  const answer = `HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Type: ${asksForMore ? problemType : 'application/json'}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  if (response.headersSent) socket.end()
  else socket.end(answer)
  // Closing at once with unread bytes would reset the connection and lose the answer.
  setTimeout(() => socket.destroy(), lingerMs).unref()
}
