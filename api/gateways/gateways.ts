import type { Platform } from '@flashsheet/contracts/networks'
import type { DiskRoom } from './disk-room.ts'
import type { ForeignFetch } from './foreign-fetch.ts'
import type { GoogleGateway } from './google.ts'
import type { MailGateway } from './mail.ts'
import type { NetworkAdapter } from './networks/adapter.ts'
import type { PlacesGateway } from './places.ts'
import type { Storage } from './storage.ts'
import type { StripeGateway } from './stripe.ts'

/** Every door to the outside world; absent where neither keys nor the sandbox are there. */
export type Gateways = {
  mail: MailGateway
  storage: Storage
  /** The disk that files pass over, also on their way to a bucket. */
  room: DiskRoom
  stripe: StripeGateway | undefined
  google: GoogleGateway | undefined
  places: PlacesGateway | undefined
  /** Whatever address somebody outside has named. */
  foreign: ForeignFetch
  networks: { [P in Platform]: NetworkAdapter | undefined }
}
