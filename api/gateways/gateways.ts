import type { Platform } from '@flashsheet/contracts/networks'
import type { DiskSpace } from './disk-space.ts'
import type { ForeignFetch } from './foreign-fetch.ts'
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
  /** The disk for uploads, also when they end in a bucket. */
  room: DiskSpace
  stripe: StripeGateway | undefined
  google: GoogleGateway | undefined
  places: PlacesGateway | undefined
  /** Whatever address somebody outside has named. */
  foreign: ForeignFetch
  /** Where programs of artists listen: with the sandbox also on this host. */
  listeners: ForeignFetch
  /** Where networks keep the pictures of pages: with the sandbox also on this host. */
  pictures: ForeignFetch
  networks: { [P in Platform]: NetworkAdapter | undefined }
}
