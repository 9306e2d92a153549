import type { ServiceModule } from '../../context.ts'
import { graphHost, type GraphCall } from '../meta/graph.ts'
import { createContainer, resumeFetching } from './containers.ts'
import { mediaList, one, publishingLimit } from './nodes.ts'
import { instagramApi, instagramWww, lengthenToken, refreshToken } from './oauth.ts'
import { publish } from './publishing.ts'
import { instagramIdentities, makeInstagramPages, personalAccount } from './state.ts'

const calls: readonly GraphCall[] = [
  ['GET', '/access_token', lengthenToken],
  ['GET', '/refresh_access_token', refreshToken],
  ['POST', '/:id/media', createContainer],
  ['POST', '/:id/media_publish', publish],
  ['GET', '/:id/media', mediaList],
  ['GET', '/:id/content_publishing_limit', publishingLimit],
  ['GET', '/:id', one],
]

/** Instagram through Instagram Login: consent, tokens, containers, publishing (docs/networks/instagram.md). */
export const instagramModule: ServiceModule = {
  service: 'instagram',
  hosts: {
    'www.instagram.com': instagramWww,
    'api.instagram.com': instagramApi,
    'graph.instagram.com': (sandbox) => {
      // Downloads that were running when the sandbox stopped start again.
      resumeFetching(sandbox)
      return graphHost(sandbox, calls)
    },
  },
  defaults: (sandbox) => ({ identities: instagramIdentities(sandbox), personal: personalAccount }),
  makePages: makeInstagramPages,
}
