import type { Config } from '../../../core/config.ts'
import type { NetworkAdapter, NetworkContext } from '../adapter.ts'
import { createNetworkHttp, type Send } from '../http.ts'
import { tiktokConnect } from './connect.ts'
import { fetchCreatorInfo } from './creator-info.ts'
import { classifyTiktok, isTiktokRefusal } from './errors.ts'
import { tiktokPublish } from './publish.ts'

/** TikTok, both halves on one HTTP client; upload hosts are often not the API's own (docs/networks/tiktok.md). */
export function createTiktokAdapter(
  config: NonNullable<Config['networks']['tiktok']>,
  versions: Config['versions'],
  now: () => Date,
  send?: Send,
): NetworkAdapter {
  const http = createNetworkHttp({
    platform: 'tiktok',
    bases: Object.values(config.hosts),
    suffixes: ['.tiktokapis.com', '.tiktok.com'],
    classify: classifyTiktok,
    isRefusal: isTiktokRefusal,
    now,
    send,
  })
  const context: NetworkContext<'tiktok'> = { config, versions, http, now }
  return {
    connect: tiktokConnect(context),
    publish: tiktokPublish(context),
    creatorInfo: async (accessToken) => await fetchCreatorInfo(context, accessToken),
  }
}
