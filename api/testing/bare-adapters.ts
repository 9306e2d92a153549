import type { Platform } from '@flashsheet/contracts/networks'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { readConfig } from '../core/config.ts'
import type { NetworkAdapter } from '../gateways/networks/adapter.ts'
import { createFacebookAdapter } from '../gateways/networks/facebook/adapter.ts'
import type { Send } from '../gateways/networks/http.ts'
import { createInstagramAdapter } from '../gateways/networks/instagram/adapter.ts'
import { createLinkedinAdapter } from '../gateways/networks/linkedin/adapter.ts'
import { createTiktokAdapter } from '../gateways/networks/tiktok/adapter.ts'
import { createYoutubeAdapter } from '../gateways/networks/youtube/adapter.ts'

/** Keys of an app at every network, for what never leaves the test. */
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

/** The five adapters as in production, at hosts that only `send` reaches; without a database or a sandbox. */
export function bareAdapters(send?: Send): Record<Platform, NetworkAdapter> {
  const { networks, versions } = readConfig({
    DATA_DIR: mkdtempSync(path.join(tmpdir(), 'flashsheet-bare-adapters-')),
    DATABASE_URL: 'postgres://localhost/none',
    ...appKeys,
  })
  const now = () => new Date()
  const { facebook, instagram, tiktok, youtube, linkedin } = networks
  if (!facebook || !instagram || !tiktok || !youtube || !linkedin) throw new Error('a network has no keys')
  return {
    facebook: createFacebookAdapter(facebook, versions, now, send),
    instagram: createInstagramAdapter(instagram, versions, now, send),
    tiktok: createTiktokAdapter(tiktok, versions, now, send),
    youtube: createYoutubeAdapter(youtube, versions, now, send),
    linkedin: createLinkedinAdapter(linkedin, versions, now, send),
  }
}
