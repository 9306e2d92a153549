import type { PlanId } from '@flashsheet/contracts/plans'

/** An action at Stripe, and how many months and days ago. A plan id means subscribing to the plan or changing to it. */
export type PastAction = readonly [
  months: number,
  days: number,
  act: PlanId | 'cancel' | 'resume' | 'refund' | 'good card' | 'declined card',
]

/** The facts of an artist's site. */
export type CrowdSite = { shopName: string; city: string; state: string; phone: string; published: boolean }

/** A made-up artist with up to a year of subscription history, so that the staff screens have data. */
export type CrowdEntry = {
  name: string
  email: string
  timeZone: string
  acts: readonly PastAction[]
  site?: CrowdSite | undefined
  isActive?: false
}

const line = 'social-line-work'
const shading = 'complete-shading'
const east = 'America/New_York'
const central = 'America/Chicago'
const mountain = 'America/Denver'
const west = 'America/Los_Angeles'

const site = (shopName: string, city: string, state: string, phone: string, published = true): CrowdSite => ({
  shopName,
  city,
  state,
  phone,
  published,
})

/** By the handle of their artist. */
const sites: Readonly<Record<string, CrowdSite>> = {
  ines: site('Farrow & Fern', 'Boulder', 'CO', '(303) 555-0112'),
  theo: site('Nordlys Tattoo', 'Minneapolis', 'MN', '(612) 555-0177'),
  amara: site('Blue Hour', 'Philadelphia', 'PA', '(215) 555-0130'),
  rosa: site('Casa Delgado', 'Tucson', 'AZ', '(520) 555-0164'),
  wren: site('Ashby Ink', 'Oakland', 'CA', '(510) 555-0109'),
  'marguerite.fontaine-beaumont': site('Atelier Fontaine-Beaumont', 'New Orleans', 'LA', '(504) 555-0151'),
  freya: site('Raven & Root', 'Juneau', 'AK', '(907) 555-0188'),
  mateo: site('Ibarra Fine Line', 'San Diego', 'CA', '(619) 555-0125', false),
  nadia: site('Saffron Needle', 'Boston', 'MA', '(617) 555-0199'),
  leilani: site('Kahale Kakau', 'Hilo', 'HI', '(808) 555-0116'),
  isaac: site('Third Coast Flash', 'Houston', 'TX', '(713) 555-0142'),
  hana: site('Mori Studio', 'Portland', 'OR', '(503) 555-0170'),
  rafael: site('Quintero Black & Grey', 'Santa Fe', 'NM', '(505) 555-0138'),
}

const ago = (...act: PastAction): PastAction => act

const artist = (handle: string, name: string, timeZone: string, ...acts: readonly PastAction[]): CrowdEntry => ({
  name,
  email: `${handle}@flashsheet.example`,
  timeZone,
  acts,
  site: sites[handle],
})

export const crowd: readonly CrowdEntry[] = [
  artist('ines', 'Ines Farrow', mountain, ago(11, 20, shading)),
  artist('theo', 'Theo Lindqvist', central, ago(11, 12, line), ago(5, 3, shading)),
  artist('piet', 'Piet Vandermeer', east, ago(11, 2, line), ago(7, 9, 'cancel')),
  artist('amara', 'Amara Diallo', east, ago(10, 18, line), ago(8, 25, 'cancel'), ago(3, 14, shading)),
  artist('cleo', 'Cleo Marchetti', west, ago(10, 6, shading), ago(2, 20, line)),
  artist('kenji', 'Kenji Watanabe', 'Pacific/Honolulu', ago(9, 27, line), ago(0, 6, 'cancel')),
  artist('rosa', 'Rosa Delgado', 'America/Phoenix', ago(9, 15, shading)),
  artist('owen', 'Owen Brightwater', mountain, ago(9, 4, line), ago(4, 28, 'declined card')),
  artist('wren', 'Wren Ashby', west, ago(8, 22, shading)),
  artist(
    'marguerite.fontaine-beaumont',
    'Marguerite Fontaine-Beaumont',
    central,
    ago(8, 11, shading),
    ago(6, 2, 'refund'),
  ),
  artist('dmitri', 'Dmitri Sokolov', east, ago(8, 1, line), ago(3, 19, shading)),
  artist('juno', 'Juno Park', west, ago(7, 28, line)),
  artist('silas', 'Silas Greene', east, ago(8, 3, line), ago(5, 10, 'cancel')),
  artist('freya', 'Freya Halvorsen', 'America/Anchorage', ago(7, 5, shading)),
  artist('mateo', 'Mateo Ibarra', west, ago(7, 2, line), ago(2, 9, shading)),
  artist('bex', 'Bex Holloway', central, ago(6, 13, line)),
  artist('nadia', 'Nadia Rahmani', east, ago(6, 3, shading), ago(1, 24, 'cancel'), ago(1, 20, 'resume')),
  artist('caspian', 'Caspian Reed', west, ago(5, 6, line), ago(2, 17, 'cancel')),
  artist('leilani', 'Leilani Kahale', 'Pacific/Honolulu', ago(5, 8, shading)),
  artist('bo', 'Bo', central, ago(4, 2, line)),
  artist('vesna', 'Vesna Petrova', east, ago(4, 19, line), ago(1, 2, shading)),
  artist('isaac', 'Isaac Okonkwo', central, ago(4, 7, shading), ago(3, 1, 'declined card'), ago(2, 29, 'good card')),
  artist('paloma', 'Paloma Reyes', mountain, ago(3, 25, line)),
  artist('gus', 'Gus Thornton', central, ago(3, 11, line), ago(3, 8, 'refund'), ago(3, 8, 'cancel')),
  artist('hana', 'Hana Mori', west, ago(3, 2, shading)),
  artist('etienne', 'Etienne Roy', east, ago(2, 23, line), ago(0, 20, shading)),
  artist('zuri', 'Zuri Mbeki', east, ago(2, 0, shading)),
  // Renewed half a day ago, two and a half in a short month: within the three days before the card is retried.
  artist('lars', 'Lars Nygaard', mountain, ago(2, 0, line), ago(0, 12, 'declined card')),
  artist('tilda', 'Tilda Marsh', west, ago(2, 6, line)),
  artist('rafael', 'Rafael Quintero', 'America/Phoenix', ago(1, 13, shading)),
  artist('odette', 'Odette Vance', east, ago(1, 1, shading), ago(0, 9, 'cancel')),
  artist('hugo', 'Hugo Brandt', central, ago(0, 25, line)),
  artist('marisol', 'Marisol Vega', west, ago(0, 17, shading)),
  artist('ansel', 'Ansel Whitlock', east, ago(0, 8, line)),
  artist('imani', 'Imani Clarke', east, ago(0, 5, shading)),
  artist('tomasz', 'Tomasz Zielinski', central),
  { ...artist('perry', 'Perry Nolan', mountain, ago(6, 20, line), ago(5, 12, 'cancel')), isActive: false },
]
