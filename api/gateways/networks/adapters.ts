import type { Platform } from '@flashsheet/contracts/networks'
import type { Config } from '../../core/config.ts'
import type { NetworkAdapter } from './adapter.ts'
import { createFacebookAdapter } from './facebook/adapter.ts'
import type { Send } from './http.ts'
import { createInstagramAdapter } from './instagram/adapter.ts'
import { createLinkedinAdapter } from './linkedin/adapter.ts'
import { createTiktokAdapter } from './tiktok/adapter.ts'
import { createYoutubeAdapter } from './youtube/adapter.ts'

/** The adapters of all networks that are configured. `send` takes the place of the wire. */
export function createAdapters(
  { networks, versions }: Pick<Config, 'networks' | 'versions'>,
  now: () => Date,
  send?: Send,
): Record<Platform, NetworkAdapter | undefined> {
  const { facebook, instagram, tiktok, youtube, linkedin } = networks
  return {
    facebook: facebook && createFacebookAdapter(facebook, versions, now, send),
    instagram: instagram && createInstagramAdapter(instagram, versions, now, send),
    tiktok: tiktok && createTiktokAdapter(tiktok, versions, now, send),
    youtube: youtube && createYoutubeAdapter(youtube, versions, now, send),
    linkedin: linkedin && createLinkedinAdapter(linkedin, versions, now, send),
  }
}
