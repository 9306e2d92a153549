import { type Context, Hono } from 'hono'
import type { SandboxContext } from '../../context.ts'
import { answerGraphError, GraphError, type Params, readParams } from './graph.ts'

/** A call of a Graph host. `id` is the one in its path, or ''; `who` is the caller. */
export type GraphCall<Who> = { c: Context; sandbox: SandboxContext; params: Params; id: string; who: Who }
type Part = (sandbox: SandboxContext) => Hono

/** A part of a Graph host: routes such as `GET /:id/media` with their handlers. `callerOf` throws for invalid tokens. */
export function graphCalls<Who>(
  callerOf: (c: Context, sandbox: SandboxContext, params: Params) => Who,
  calls: Record<string, (call: GraphCall<Who>) => Response | Promise<Response>>,
): Part {
  return (sandbox) => {
    const app = new Hono()
    for (const [route, answer] of Object.entries(calls)) {
      const [method = '', path = ''] = route.split(' ')
      app.on(method, path, async (c) => {
        const params = await readParams(c)
        return answer({ c, sandbox, params, id: c.req.param('id') ?? '', who: callerOf(c, sandbox, params) })
      })
    }
    return app
  }
}

/** Adds every path of a Graph host, with any version or none, since Graph answers for expired versions too. */
export function graphHost(sandbox: SandboxContext, parts: readonly Part[], app = new Hono()): Hono {
  const graph = new Hono()
  for (const part of parts) graph.route('/', part(sandbox))
  app.route('/:version{v[0-9]+(?:[.][0-9]+)?}', graph)
  app.route('/', graph)
  app.all('*', (c) => {
    const path = c.req.path.replace(/^\/[^/]+(\/v[0-9.]+)?/, '')
    throw new GraphError(2500, { message: `Unknown path components: ${path}` })
  })
  return app.onError(answerGraphError)
}
