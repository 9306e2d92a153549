import { errorMessages } from '@flashsheet/contracts/errors/messages'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { acceptsProblem, problemType, withProblemMembers } from './errors.ts'
import { takesFiles, type RestRow } from './rest.ts'

/** How long a body may take to arrive. */
export const bodyTimeouts = {
  /** Within this time a body that is not a file must be complete. */
  completeMs: 30_000,
  /** In each period of this length at least `minBytes` of a file must arrive. */
  periodMs: 60_000,
  /** Four kilobytes a second: slower than any phone connection (EDGE: about ten), but faster than a slow-body attack. */
  minBytes: 60 * 4096,
}

/** Closing at once with unread bytes would reset the connection and lose the response. */
const lingerMs = 500

/** Returns whether a path takes files, which may take long to arrive. */
export function fileUploadMatcher(table: readonly RestRow[]): (method: string, path: string) => boolean {
  const rows = table
    .filter(takesFiles)
    .map((row) => ({ method: row.method, pattern: new URLPattern({ pathname: row.path }) }))
  return (method, pathname) => rows.some((row) => row.method === method && row.pattern.test({ pathname }))
}

/**
 * Closes a connection whose request body does not arrive in time, with 408 if the response has not begun. A body with bytes
 * that this process has not read yet gets more time, since its sender cannot send more.
 */
export function enforceBodyTimeouts(request: IncomingMessage, response: ServerResponse, isFile: boolean): void {
  const { headers, socket } = request
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return
  let bytesBefore = socket.bytesRead
  const timer = setInterval(
    () => {
      if (request.complete) return stop()
      const arrived = socket.bytesRead - bytesBefore
      bytesBefore = socket.bytesRead
      if (request.readableLength > 0 || (isFile && arrived >= bodyTimeouts.minBytes)) return
      stop()
      refuse(socket, response)
    },
    isFile ? bodyTimeouts.periodMs : bodyTimeouts.completeMs,
  )
  timer.unref()
  const stop = () => {
    clearInterval(timer)
    request.off('end', stop)
    socket.off('close', stop)
  }
  // A connection outlives its requests, so its listener is removed after each request.
  request.once('end', stop)
  socket.once('close', stop)
}

function refuse(socket: Socket, response: ServerResponse): void {
  const { accept } = response.req.headers
  const refusal = { message: errorMessages.tooSlow, code: 'tooSlow' }
  const body = JSON.stringify(withProblemMembers(accept, 408, refusal, undefined))
  // Written to the socket, as Node does, so that the reader of the body notices the end of the connection.
  const response408 = `HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Type: ${acceptsProblem(accept) ? problemType : 'application/json'}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  if (response.headersSent) socket.end()
  else socket.end(response408)
  setTimeout(() => socket.destroy(), lingerMs).unref()
}
