import type { Platform } from '@flashsheet/contracts/networks'
import { tmpdir } from 'node:os'
import { readConfig } from '../core/config.ts'
import type { NetworkAdapter } from '../gateways/networks/adapter.ts'
import { createAdapters } from '../gateways/networks/adapters.ts'
import type { Send } from '../gateways/networks/http.ts'

/** Made-up keys of an app at every network, for requests that never leave the process. */
export const appKeys = {
  TIKTOK_CLIENT_KEY: 'id',
  TIKTOK_CLIENT_SECRET: 'secret',
  ...Object.fromEntries(
    ['FACEBOOK_APP', 'INSTAGRAM_APP', 'YOUTUBE_CLIENT', 'LINKEDIN_CLIENT'].flatMap((name) => [
      [`${name}_ID`, 'id'],
      [`${name}_SECRET`, 'secret'],
    ]),
  ),
}

/** The five adapters as in production, whose requests all go to `send`; without a database or a sandbox. */
export function bareAdapters(send?: Send): Record<Platform, NetworkAdapter> {
  const config = readConfig({
    DATA_DIR: tmpdir(),
    SECRET_KEY: 'x'.repeat(32),
    DATABASE_URL: 'postgres://localhost/none',
    ...appKeys,
  })
  const adapters = createAdapters(config, () => new Date(), send)
  if (Object.values(adapters).includes(undefined)) throw new Error('a network has no keys')
  return adapters as Record<Platform, NetworkAdapter>
}
