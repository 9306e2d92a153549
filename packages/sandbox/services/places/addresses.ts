export type Address = {
  id: string
  text: string
  number: string
  route: string
  unit?: string
  city: string
  state: string
  stateName: string
  zip: string
  zipSuffix?: string
  latitude: number
  longitude: number
  types: string[]
}

type Row = Omit<Address, 'id' | 'text' | 'types'>

function row(
  number: string,
  route: string,
  [city, state, stateName, zip]: [city: string, state: string, stateName: string, zip: string],
  [latitude, longitude]: [number, number],
  more: Pick<Row, 'unit' | 'zipSuffix'> = {},
): Row {
  return { number, route, city, state, stateName, zip, latitude, longitude, ...more }
}

const rows: Row[] = [
  row('214', 'Needle Street', ['Brooklyn', 'NY', 'New York', '11249'], [40.7169, -73.9622]),
  row('88', 'Blackwork Avenue', ['New York', 'NY', 'New York', '10002'], [40.7181, -73.9862]),
  row('1520', 'Stencil Road', ['Austin', 'TX', 'Texas', '78702'], [30.2641, -97.7193], { zipSuffix: '4410' }),
  row('7', 'Swallow Lane', ['Portland', 'OR', 'Oregon', '97214'], [45.5142, -122.6476]),
  row('930', 'Swallow Lane', ['Seattle', 'WA', 'Washington', '98122'], [47.6101, -122.3002], { unit: '2B' }),
  row('4011', 'Anchor Boulevard', ['San Diego', 'CA', 'California', '92104'], [32.7456, -117.1294]),
  row('65', 'Dagger Court', ['Chicago', 'IL', 'Illinois', '60622'], [41.9019, -87.6779]),
  row('302', 'Needle Street', ['Nashville', 'TN', 'Tennessee', '37206'], [36.1779, -86.7414]),
]

/** Made-up addresses that no real studio has. */
export const addresses: readonly Address[] = rows.map((row, index) => ({
  ...row,
  id: `ChIJSandbox${String(index + 1).padStart(3, '0')}AddressXXXXXX`,
  text: `${row.number} ${row.route}${row.unit ? ` #${row.unit}` : ''}, ${row.city}, ${row.state}, USA`,
  types: row.unit ? ['subpremise', 'geocode'] : ['street_address', 'premise', 'geocode'],
}))

export function byId(id: string): Address | undefined {
  return addresses.find((one) => one.id === id)
}

const streetOf = (one: Address): string => `${one.number} ${one.route}${one.unit ? ` #${one.unit}` : ''}`

/** One entry of the autocomplete answer, with the offsets of the matched words. */
export function suggestionOf(address: Address, words: readonly string[]): Record<string, unknown> {
  const main = streetOf(address)
  return {
    placePrediction: {
      place: `places/${address.id}`,
      placeId: address.id,
      text: { text: address.text, matches: matchesIn(address.text, words) },
      structuredFormat: {
        mainText: { text: main, matches: matchesIn(main, words) },
        secondaryText: { text: `${address.city}, ${address.state}, USA` },
      },
      types: address.types,
    },
  }
}

function matchesIn(text: string, words: readonly string[]): { startOffset?: number; endOffset: number }[] {
  const found = words.flatMap((word) => {
    const at = text.toLowerCase().search(new RegExp(`(?<=^|[\\s,])${word.replaceAll(/[^a-z0-9]/g, '\\$&')}`))
    return at < 0 ? [] : [{ at, end: at + word.length }]
  })
  // Google's JSON omits an offset of 0.
  return found
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, end }) => ({ ...(at > 0 && { startOffset: at }), endOffset: end }))
}

function component(longText: string, shortText: string, types: string[]) {
  return { longText, shortText, types, languageCode: 'en' }
}

/** All fields of a place; the field mask selects what is sent. */
export function detailsOf(address: Address): Record<string, unknown> {
  const { id, number, route, unit, city, state, stateName, zip, zipSuffix, latitude, longitude, types } = address
  return {
    name: `places/${id}`,
    id,
    types,
    formattedAddress: `${streetOf(address)}, ${city}, ${state} ${zip}, USA`,
    shortFormattedAddress: `${streetOf(address)}, ${city}`,
    addressComponents: [
      ...(unit ? [component(unit, unit, ['subpremise'])] : []),
      component(number, number, ['street_number']),
      component(
        route,
        route.replace('Street', 'St').replace('Avenue', 'Ave').replace('Road', 'Rd').replace('Boulevard', 'Blvd'),
        ['route'],
      ),
      component(city, city, ['locality', 'political']),
      component(stateName, state, ['administrative_area_level_1', 'political']),
      component('United States', 'US', ['country', 'political']),
      component(zip, zip, ['postal_code']),
      ...(zipSuffix ? [component(zipSuffix, zipSuffix, ['postal_code_suffix'])] : []),
    ],
    postalAddress: {
      regionCode: 'US',
      languageCode: 'en-US',
      postalCode: zipSuffix ? `${zip}-${zipSuffix}` : zip,
      administrativeArea: stateName,
      locality: city,
      addressLines: [streetOf(address)],
    },
    location: { latitude, longitude },
    displayName: { text: streetOf(address), languageCode: 'en' },
  }
}
