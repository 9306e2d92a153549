import { Hono } from 'hono'
import type { ServiceModule, SandboxContext } from '../../context.ts'
import { GraphError, graphErrorBody, graphRoute } from '../meta/graph.ts'
import { instagramContainers, resumeFetching } from './containers.ts'
import { instagramNodes } from './nodes.ts'
import { instagramApi, instagramTokens, instagramWww } from './oauth.ts'
import { instagramPublishing } from './publishing.ts'
import { instagramIdentities, makeInstagramPages, personalAccount } from './state.ts'

/** Instagram through Instagram Login: consent, tokens, containers, publishing (docs/networks/instagram.md). */
export const instagramModule: ServiceModule = {
  service: 'instagram',
  hosts: {
    'www.instagram.com': instagramWww,
    'api.instagram.com': instagramApi,
    'graph.instagram.com': graphInstagram,
  },
  defaults: (sandbox) => ({ identities: instagramIdentities(sandbox), personal: personalAccount }),
  makePages: makeInstagramPages,
}

function graphInstagram(sandbox: SandboxContext): Hono {
  // Downloads that were running when the sandbox stopped start again.
  resumeFetching(sandbox)
  const app = new Hono()
  const graph = new Hono()
  for (const part of [instagramTokens, instagramContainers, instagramPublishing, instagramNodes])
    graph.route('/', part(sandbox))
  app.route('/:version{v[0-9]+(?:[.][0-9]+)?}', graph)
  app.route('/', graph)
  const unknown = graphRoute((c) => {
    throw new GraphError(2500, {
      message: `Unknown path components: ${c.req.path.replace(/^\/[^/]+(\/v[0-9.]+)?/, '')}`,
    })
  })
  app.all('*', unknown)
  app.onError((error, c) => {
    console.error('sandbox instagram', error)
    return c.json(
      graphErrorBody(new GraphError(1, { message: 'An unknown error has occurred.', transient: true })),
      500,
    )
  })
  return app
}
