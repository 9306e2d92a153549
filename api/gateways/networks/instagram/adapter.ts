import type { Config } from '../../../core/config.ts'
import type { NetworkAdapter, NetworkContext } from '../adapter.ts'
import { createNetworkHttp, type Send } from '../http.ts'
import { instagramConnect } from './connect.ts'
import { classifyInstagram } from './errors.ts'
import { instagramPublish } from './publish.ts'

/** Instagram, both halves on one HTTP client; upload hosts are often not the API's own (docs/networks/instagram.md). */
export function createInstagramAdapter(
  config: NonNullable<Config['networks']['instagram']>,
  versions: Config['versions'],
  now: () => Date,
  send?: Send,
): NetworkAdapter {
  const http = createNetworkHttp({
    platform: 'instagram',
    bases: Object.values(config.hosts),
    suffixes: ['.instagram.com', '.facebook.com', '.cdninstagram.com'],
    classify: classifyInstagram,
    now,
    send,
  })
  const context: NetworkContext<'instagram'> = { config, versions, http, now }
  return { connect: instagramConnect(context), publish: instagramPublish(context) }
}
