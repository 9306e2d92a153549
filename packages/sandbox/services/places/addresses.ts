function makeAddress(
  nth: string,
  number: string,
  route: string,
  [city, state, stateName, zip]: [city: string, state: string, stateName: string, zip: string],
  [latitude, longitude]: [number, number],
  { unit, zipSuffix }: { unit?: string; zipSuffix?: string } = {},
) {
  const id = `ChIJSandbox${nth}AddressXXXXXX`
  const street = `${number} ${route}${unit ? ` #${unit}` : ''}`
  const types = unit ? ['subpremise', 'geocode'] : ['street_address', 'premise', 'geocode']
  return {
    id,
    street,
    text: `${street}, ${city}, ${state}, USA`,
    types,
    /** All fields of the place; the field mask selects what is sent. */
    details: {
      name: `places/${id}`,
      id,
      types,
      formattedAddress: `${street}, ${city}, ${state} ${zip}, USA`,
      shortFormattedAddress: `${street}, ${city}`,
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
        addressLines: [street],
      },
      location: { latitude, longitude },
      displayName: { text: street, languageCode: 'en' },
    },
  }
}
export type Address = ReturnType<typeof makeAddress>

/** Made-up addresses that no real studio has. */
export const addresses: readonly Address[] = [
  makeAddress('001', '214', 'Needle Street', ['Brooklyn', 'NY', 'New York', '11249'], [40.7169, -73.9622]),
  makeAddress('002', '88', 'Blackwork Avenue', ['New York', 'NY', 'New York', '10002'], [40.7181, -73.9862]),
  makeAddress('003', '1520', 'Stencil Road', ['Austin', 'TX', 'Texas', '78702'], [30.2641, -97.7193], {
    zipSuffix: '4410',
  }),
  makeAddress('004', '7', 'Swallow Lane', ['Portland', 'OR', 'Oregon', '97214'], [45.5142, -122.6476]),
  makeAddress('005', '930', 'Swallow Lane', ['Seattle', 'WA', 'Washington', '98122'], [47.6101, -122.3002], {
    unit: '2B',
  }),
  makeAddress('006', '4011', 'Anchor Boulevard', ['San Diego', 'CA', 'California', '92104'], [32.7456, -117.1294]),
  makeAddress('007', '65', 'Dagger Court', ['Chicago', 'IL', 'Illinois', '60622'], [41.9019, -87.6779]),
  makeAddress('008', '302', 'Needle Street', ['Nashville', 'TN', 'Tennessee', '37206'], [36.1779, -86.7414]),
]

/** One entry of the autocomplete answer, with the offsets of the matched words. */
export function suggestionOf(address: Address, words: readonly string[]): Record<string, unknown> {
  return {
    placePrediction: {
      place: `places/${address.id}`,
      placeId: address.id,
      text: { text: address.text, matches: matchesIn(address.text, words) },
      structuredFormat: {
        mainText: { text: address.street, matches: matchesIn(address.street, words) },
        secondaryText: { text: address.text.slice(address.street.length + 2) },
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
