import { clientAddress } from './client-address.ts'
import type { RequestCtx, System } from './context.ts'
import { newId } from './ids.ts'
import type { HttpContext } from './rest.ts'

/** The context of a request whose caller nobody has proved yet, without cookies. */
export function anonymousCtx(system: System, c: HttpContext): RequestCtx {
  return {
    ...system,
    requestId: newId(),
    ip: clientAddress(
      c.env.incoming.socket.remoteAddress,
      c.req.header('x-forwarded-for'),
      system.config.trustedProxies,
    ),
    userAgent: c.req.header('user-agent') ?? '',
    caller: undefined,
    isKeyRefused: false,
    isOwnPage: true,
    cookie: () => undefined,
    setCookie: () => {
      throw new Error('a public page sets no cookie')
    },
    // At once on the socket: the tus server answers there by itself.
    setHeader: (name, value) => void c.env.outgoing.setHeader(name, value),
  }
}
