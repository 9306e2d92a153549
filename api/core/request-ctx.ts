import { clientAddress } from './client-address.ts'
import type { RequestCtx, System } from './context.ts'
import { newId } from './ids.ts'
import type { HttpContext } from './rest.ts'

/** The context of an anonymous request, without cookies. */
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
    isSameOrigin: true,
    cookie: () => undefined,
    setCookie: () => {
      throw new Error('a public page sets no cookie')
    },
    // Set on the Node response, because the tus server writes its responses there.
    setHeader: (name, value) => void c.env.outgoing.setHeader(name, value),
  }
}
