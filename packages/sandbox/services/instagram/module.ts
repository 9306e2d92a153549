import type { Hono } from 'hono'
import type { ServiceModule, SandboxContext } from '../../context.ts'
import { graphHost } from '../meta/graph-host.ts'
import { instagramContainers, resumeFetching } from './containers.ts'
import { instagramNodes } from './nodes.ts'
import { instagramApi, instagramTokens, instagramWww } from './oauth.ts'
import { instagramPublishing } from './publishing.ts'
import { instagramIdentities, makeInstagramPage, personalAccount } from './state.ts'

/** Instagram through Instagram Login: consent, tokens, containers, publishing (docs/networks/instagram.md). */
export const instagramModule: ServiceModule = {
  service: 'instagram',
  hosts: {
    'www.instagram.com': instagramWww,
    'api.instagram.com': instagramApi,
    'graph.instagram.com': graphInstagram,
  },
  defaults: (sandbox) => ({ identities: instagramIdentities(sandbox), personal: personalAccount }),
  makePage: makeInstagramPage,
}

function graphInstagram(sandbox: SandboxContext): Hono {
  // Downloads that were running when the sandbox stopped start again.
  resumeFetching(sandbox)
  return graphHost(sandbox, [instagramTokens, instagramContainers, instagramPublishing, instagramNodes])
}
