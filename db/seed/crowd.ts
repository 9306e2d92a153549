import type { PlanId } from '@flashsheet/contracts/plans'

/** An action at Stripe, so many months and days ago; a plan means to subscribe to it or to change to it. */
export type PastAction = readonly [
  months: number,
  days: number,
  act: PlanId | 'cancel' | 'resume' | 'refund' | 'good card' | 'declined card',
]

/** The facts of an artist's site. */
export type CrowdSite = { shopName: string; city: string; state: string; phone: string; published: boolean }

/** More made-up artists with a subscription history of a year, so that the staff screens have data. */
export type CrowdEntry = {
  name: string
  email: string
  timeZone: string
  acts: readonly PastAction[]
  site?: CrowdSite
  isActive?: false
}

const line = 'social-line-work'
const shading = 'complete-shading'
const at = (name: string) => `${name}@flashsheet.example`
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

export const crowd: readonly CrowdEntry[] = [
  {
    name: 'Ines Farrow',
    email: at('ines'),
    timeZone: mountain,
    acts: [[11, 20, shading]],
    site: site('Farrow & Fern', 'Boulder', 'CO', '(303) 555-0112'),
  },
  {
    name: 'Theo Lindqvist',
    email: at('theo'),
    timeZone: central,
    acts: [
      [11, 12, line],
      [5, 3, shading],
    ],
    site: site('Nordlys Tattoo', 'Minneapolis', 'MN', '(612) 555-0177'),
  },
  {
    name: 'Piet Vandermeer',
    email: at('piet'),
    timeZone: east,
    acts: [
      [11, 2, line],
      [7, 9, 'cancel'],
    ],
  },
  {
    name: 'Amara Diallo',
    email: at('amara'),
    timeZone: east,
    acts: [
      [10, 18, line],
      [8, 25, 'cancel'],
      [3, 14, shading],
    ],
    site: site('Blue Hour', 'Philadelphia', 'PA', '(215) 555-0130'),
  },
  {
    name: 'Cleo Marchetti',
    email: at('cleo'),
    timeZone: west,
    acts: [
      [10, 6, shading],
      [2, 20, line],
    ],
  },
  {
    name: 'Kenji Watanabe',
    email: at('kenji'),
    timeZone: 'Pacific/Honolulu',
    acts: [
      [9, 27, line],
      [0, 6, 'cancel'],
    ],
  },
  {
    name: 'Rosa Delgado',
    email: at('rosa'),
    timeZone: 'America/Phoenix',
    acts: [[9, 15, shading]],
    site: site('Casa Delgado', 'Tucson', 'AZ', '(520) 555-0164'),
  },
  {
    name: 'Owen Brightwater',
    email: at('owen'),
    timeZone: mountain,
    acts: [
      [9, 4, line],
      [4, 28, 'declined card'],
    ],
  },
  {
    name: 'Wren Ashby',
    email: at('wren'),
    timeZone: west,
    acts: [[8, 22, shading]],
    site: site('Ashby Ink', 'Oakland', 'CA', '(510) 555-0109'),
  },
  {
    name: 'Marguerite Fontaine-Beaumont',
    email: at('marguerite.fontaine-beaumont'),
    timeZone: central,
    acts: [
      [8, 11, shading],
      [6, 2, 'refund'],
    ],
    site: site('Atelier Fontaine-Beaumont', 'New Orleans', 'LA', '(504) 555-0151'),
  },
  {
    name: 'Dmitri Sokolov',
    email: at('dmitri'),
    timeZone: east,
    acts: [
      [8, 1, line],
      [3, 19, shading],
    ],
  },
  { name: 'Juno Park', email: at('juno'), timeZone: west, acts: [[7, 28, line]] },
  {
    name: 'Silas Greene',
    email: at('silas'),
    timeZone: east,
    acts: [
      [8, 3, line],
      [5, 10, 'cancel'],
    ],
  },
  {
    name: 'Freya Halvorsen',
    email: at('freya'),
    timeZone: 'America/Anchorage',
    acts: [[7, 5, shading]],
    site: site('Raven & Root', 'Juneau', 'AK', '(907) 555-0188'),
  },
  {
    name: 'Mateo Ibarra',
    email: at('mateo'),
    timeZone: west,
    acts: [
      [7, 2, line],
      [2, 9, shading],
    ],
    site: site('Ibarra Fine Line', 'San Diego', 'CA', '(619) 555-0125', false),
  },
  { name: 'Bex Holloway', email: at('bex'), timeZone: central, acts: [[6, 13, line]] },
  {
    name: 'Nadia Rahmani',
    email: at('nadia'),
    timeZone: east,
    acts: [
      [6, 3, shading],
      [1, 24, 'cancel'],
      [1, 20, 'resume'],
    ],
    site: site('Saffron Needle', 'Boston', 'MA', '(617) 555-0199'),
  },
  {
    name: 'Caspian Reed',
    email: at('caspian'),
    timeZone: west,
    acts: [
      [5, 6, line],
      [2, 17, 'cancel'],
    ],
  },
  {
    name: 'Leilani Kahale',
    email: at('leilani'),
    timeZone: 'Pacific/Honolulu',
    acts: [[5, 8, shading]],
    site: site('Kahale Kakau', 'Hilo', 'HI', '(808) 555-0116'),
  },
  { name: 'Bo', email: at('bo'), timeZone: central, acts: [[4, 2, line]] },
  {
    name: 'Vesna Petrova',
    email: at('vesna'),
    timeZone: east,
    acts: [
      [4, 19, line],
      [1, 2, shading],
    ],
  },
  {
    name: 'Isaac Okonkwo',
    email: at('isaac'),
    timeZone: central,
    acts: [
      [4, 7, shading],
      [3, 1, 'declined card'],
      [2, 29, 'good card'],
    ],
    site: site('Third Coast Flash', 'Houston', 'TX', '(713) 555-0142'),
  },
  { name: 'Paloma Reyes', email: at('paloma'), timeZone: mountain, acts: [[3, 25, line]] },
  {
    name: 'Gus Thornton',
    email: at('gus'),
    timeZone: central,
    acts: [
      [3, 11, line],
      [3, 8, 'refund'],
      [3, 8, 'cancel'],
    ],
  },
  {
    name: 'Hana Mori',
    email: at('hana'),
    timeZone: west,
    acts: [[3, 2, shading]],
    site: site('Mori Studio', 'Portland', 'OR', '(503) 555-0170'),
  },
  {
    name: 'Etienne Roy',
    email: at('etienne'),
    timeZone: east,
    acts: [
      [2, 23, line],
      [0, 20, shading],
    ],
  },
  { name: 'Zuri Mbeki', email: at('zuri'), timeZone: east, acts: [[2, 0, shading]] },
  // Renewed half a day ago, two and a half in a short month: within the three days before the card is retried.
  {
    name: 'Lars Nygaard',
    email: at('lars'),
    timeZone: mountain,
    acts: [
      [2, 0, line],
      [0, 12, 'declined card'],
    ],
  },
  { name: 'Tilda Marsh', email: at('tilda'), timeZone: west, acts: [[2, 6, line]] },
  {
    name: 'Rafael Quintero',
    email: at('rafael'),
    timeZone: 'America/Phoenix',
    acts: [[1, 13, shading]],
    site: site('Quintero Black & Grey', 'Santa Fe', 'NM', '(505) 555-0138'),
  },
  {
    name: 'Odette Vance',
    email: at('odette'),
    timeZone: east,
    acts: [
      [1, 1, shading],
      [0, 9, 'cancel'],
    ],
  },
  { name: 'Hugo Brandt', email: at('hugo'), timeZone: central, acts: [[0, 25, line]] },
  { name: 'Marisol Vega', email: at('marisol'), timeZone: west, acts: [[0, 17, shading]] },
  { name: 'Ansel Whitlock', email: at('ansel'), timeZone: east, acts: [[0, 8, line]] },
  { name: 'Imani Clarke', email: at('imani'), timeZone: east, acts: [[0, 5, shading]] },
  { name: 'Tomasz Zielinski', email: at('tomasz'), timeZone: central, acts: [] },
  {
    name: 'Perry Nolan',
    email: at('perry'),
    timeZone: mountain,
    acts: [
      [6, 20, line],
      [5, 12, 'cancel'],
    ],
    isActive: false,
  },
]
