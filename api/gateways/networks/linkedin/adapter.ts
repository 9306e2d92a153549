import type { Config } from '../../../core/config.ts'
import type { NetworkAdapter, NetworkContext } from '../adapter.ts'
import { createNetworkHttp, type Send } from '../http.ts'
import { linkedinConnect } from './connect.ts'
import { classifyLinkedin } from './errors.ts'
import { linkedinPublish } from './publish.ts'

/** LinkedIn, both halves on one HTTP client; upload hosts are often not the API's own (docs/networks/linkedin.md). */
export function createLinkedinAdapter(
  config: NonNullable<Config['networks']['linkedin']>,
  versions: Config['versions'],
  now: () => Date,
  send?: Send,
): NetworkAdapter {
  const http = createNetworkHttp({
    platform: 'linkedin',
    bases: Object.values(config.hosts),
    suffixes: ['.linkedin.com', '.licdn.com'],
    classify: classifyLinkedin,
    now,
    send,
  })
  const context: NetworkContext<'linkedin'> = { config, versions, http, now }
  return { connect: linkedinConnect(context), publish: linkedinPublish(context) }
}
