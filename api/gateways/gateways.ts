import type { Config } from '../core/config.ts'
import { openDiskSpace } from './disk-space.ts'
import { createGoogleGateway } from './google.ts'
import { createMailGateway } from './mail.ts'
import { createAdapters } from './networks/adapters.ts'
import { openStorage } from './open-storage.ts'
import { createPlacesGateway } from './places.ts'
import { createSsrfSafeFetch } from './ssrf-safe-fetch.ts'
import { createStripeGateway } from './stripe.ts'

export type Gateways = Awaited<ReturnType<typeof createGateways>>

/** All outside services; absent where neither keys nor the sandbox are configured. */
export async function createGateways(config: Config, now: () => Date) {
  const diskSpace = openDiskSpace(config.dataDir, config.diskReserve)
  const openForeignFetch = () => createSsrfSafeFetch({ allowsLoopback: config.sandbox !== undefined })
  return {
    mail: createMailGateway(config),
    storage: await openStorage(config, diskSpace),
    /** The disk for uploads, which pass through it even if the storage is a bucket. */
    diskSpace,
    stripe: config.stripe && createStripeGateway(config.stripe),
    google: config.google && createGoogleGateway(config.google),
    places: config.places && createPlacesGateway(config.places),
    /** Calls addresses from outside. */
    ssrfSafeFetch: createSsrfSafeFetch({ allowsLoopback: config.allowsLoopbackFetch }),
    /** Calls webhook endpoints of artists; with the sandbox also on this host. */
    webhookEndpoints: openForeignFetch(),
    /** Fetches pictures of pages from networks; with the sandbox also from this host. */
    pagePictures: openForeignFetch(),
    networks: createAdapters(config, now),
  }
}
