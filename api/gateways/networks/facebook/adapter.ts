import type { Config } from '../../../core/config.ts'
import type { NetworkAdapter, NetworkContext } from '../adapter.ts'
import { createNetworkHttp, type Send } from '../http.ts'
import { facebookConnect } from './connect.ts'
import { classifyFacebook } from './errors.ts'
import { facebookPublish } from './publish.ts'

/** Facebook, both halves on one HTTP client; upload hosts are often not the API's own (docs/networks/facebook.md). */
export function createFacebookAdapter(
  config: NonNullable<Config['networks']['facebook']>,
  versions: Config['versions'],
  now: () => Date,
  send?: Send,
): NetworkAdapter {
  const http = createNetworkHttp({
    platform: 'facebook',
    bases: Object.values(config.hosts),
    suffixes: ['.facebook.com', '.fbcdn.net'],
    classify: classifyFacebook,
    now,
    send,
  })
  const context: NetworkContext<'facebook'> = { config, versions, http, now }
  return { connect: facebookConnect(context), publish: facebookPublish(context) }
}
