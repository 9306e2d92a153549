import type { Platform } from '@flashsheet/contracts/networks'
import type { DiskSpace } from './disk-space.ts'
import type { SsrfSafeFetch } from './ssrf-safe-fetch.ts'
import type { GoogleGateway } from './google.ts'
import type { MailGateway } from './mail.ts'
import type { NetworkAdapter } from './networks/adapter.ts'
import type { PlacesGateway } from './places.ts'
import type { Storage } from './storage.ts'
import type { StripeGateway } from './stripe.ts'

/** All outside services; absent where neither keys nor the sandbox are configured. */
export type Gateways = {
  mail: MailGateway
  storage: Storage
  /** The disk for uploads, which pass through it even if the storage is a bucket. */
  diskSpace: DiskSpace
  stripe: StripeGateway | undefined
  google: GoogleGateway | undefined
  places: PlacesGateway | undefined
  /** Calls addresses from outside. */
  ssrfSafeFetch: SsrfSafeFetch
  /** Calls webhook endpoints of artists; with the sandbox also on this host. */
  webhookEndpoints: SsrfSafeFetch
  /** Fetches pictures of pages from networks; with the sandbox also from this host. */
  pagePictures: SsrfSafeFetch
  networks: { [P in Platform]: NetworkAdapter | undefined }
}
