import type { TiktokCreatorInfo } from '@flashsheet/contracts/social/schema'
import type { Platform } from '@flashsheet/contracts/networks'
import type { Config } from '../../core/config.ts'
import type { ConnectSteps, NetworkAdapter, NetworkContext, PublishSteps } from './adapter.ts'
import { facebookConnect } from './facebook/connect.ts'
import { classifyFacebook } from './facebook/errors.ts'
import { facebookPublish } from './facebook/publish.ts'
import { createNetworkHttp, type NetworkHttpOptions, type Send } from './http.ts'
import { instagramConnect } from './instagram/connect.ts'
import { classifyInstagram } from './instagram/errors.ts'
import { instagramPublish } from './instagram/publish.ts'
import { linkedinConnect } from './linkedin/connect.ts'
import { classifyLinkedin } from './linkedin/errors.ts'
import { linkedinPublish } from './linkedin/publish.ts'
import { tiktokConnect } from './tiktok/connect.ts'
import { fetchCreatorInfo } from './tiktok/creator-info.ts'
import { classifyTiktok, isTiktokRefusal } from './tiktok/errors.ts'
import { tiktokPublish } from './tiktok/publish.ts'
import { youtubeConnect } from './youtube/connect.ts'
import { classifyYoutube } from './youtube/errors.ts'
import { youtubePublish } from './youtube/publish.ts'

/** Both halves of a network and what its HTTP client needs; upload hosts are often not the API's own (docs/networks). */
type Network<P extends Platform> = Pick<NetworkHttpOptions, 'suffixes' | 'classify' | 'isRefusal'> & {
  connect: (context: NetworkContext<P>) => ConnectSteps
  publish: (context: NetworkContext<P>) => PublishSteps
  creatorInfo?: (context: NetworkContext<P>, accessToken: string) => Promise<TiktokCreatorInfo>
}

/** The adapters of all networks that are configured. `send` replaces HTTP, as in simulations. */
export function createAdapters(
  { networks, versions }: Pick<Config, 'networks' | 'versions'>,
  now: () => Date,
  send?: Send,
): Record<Platform, NetworkAdapter | undefined> {
  const adapterOf = <P extends Platform>(
    platform: P,
    { connect, publish, creatorInfo, ...client }: Network<P>,
  ): NetworkAdapter | undefined => {
    const config = networks[platform]
    if (!config) return undefined
    const http = createNetworkHttp({ platform, bases: Object.values(config.hosts), ...client, now, send })
    const context: NetworkContext<P> = { config, versions, http, now }
    return {
      connect: connect(context),
      publish: publish(context),
      ...(creatorInfo && { creatorInfo: async (accessToken) => await creatorInfo(context, accessToken) }),
    }
  }
  return {
    facebook: adapterOf('facebook', {
      suffixes: ['.facebook.com', '.fbcdn.net'],
      classify: classifyFacebook,
      connect: facebookConnect,
      publish: facebookPublish,
    }),
    instagram: adapterOf('instagram', {
      suffixes: ['.instagram.com', '.facebook.com', '.cdninstagram.com'],
      classify: classifyInstagram,
      connect: instagramConnect,
      publish: instagramPublish,
    }),
    tiktok: adapterOf('tiktok', {
      suffixes: ['.tiktokapis.com', '.tiktok.com'],
      classify: classifyTiktok,
      isRefusal: isTiktokRefusal,
      connect: tiktokConnect,
      publish: tiktokPublish,
      creatorInfo: fetchCreatorInfo,
    }),
    youtube: adapterOf('youtube', {
      suffixes: ['.googleapis.com'],
      classify: classifyYoutube,
      connect: youtubeConnect,
      publish: youtubePublish,
    }),
    linkedin: adapterOf('linkedin', {
      suffixes: ['.linkedin.com', '.licdn.com'],
      classify: classifyLinkedin,
      connect: linkedinConnect,
      publish: linkedinPublish,
    }),
  }
}
