import type { Config } from '../../../core/config.ts'
import type { NetworkAdapter, NetworkContext } from '../adapter.ts'
import { createNetworkHttp, type Send } from '../http.ts'
import { youtubeConnect } from './connect.ts'
import { classifyYoutube } from './errors.ts'
import { youtubePublish } from './publish.ts'

/** YouTube, both halves on one HTTP client; upload hosts are often not the API's own (docs/networks/youtube.md). */
export function createYoutubeAdapter(
  config: NonNullable<Config['networks']['youtube']>,
  versions: Config['versions'],
  now: () => Date,
  send?: Send,
): NetworkAdapter {
  const http = createNetworkHttp({
    platform: 'youtube',
    bases: Object.values(config.hosts),
    suffixes: ['.googleapis.com'],
    classify: classifyYoutube,
    now,
    send,
  })
  const context: NetworkContext<'youtube'> = { config, versions, http, now }
  return { connect: youtubeConnect(context), publish: youtubePublish(context) }
}
