import type { SiteAddress } from '@flashsheet/contracts/website/schema'
import { versionsInUse } from '../core/api-versions.ts'
import { z } from 'zod'
import type { Config } from '../core/config.ts'
import { assertNoConnectionHeld } from '../core/connection-held-guard.ts'

/** An address suggestion. */
export type PlaceSuggestion = { placeId: string; text: string }

export type PlacesGateway = ReturnType<typeof createPlacesGateway>

const timeoutMs = 4000

const Suggestions = z.object({
  suggestions: z
    .array(
      z.object({ placePrediction: z.object({ placeId: z.string(), text: z.object({ text: z.string() }) }).optional() }),
    )
    .default([]),
})
const Details = z.object({
  addressComponents: z.array(
    z.object({ longText: z.string(), shortText: z.string().default(''), types: z.array(z.string()) }),
  ),
})

/**
 * Google Places (New) through our server: the key stays secret, and no page loads anything from Google. Throws network
 * and HTTP errors.
 */
export function createPlacesGateway({ key, base }: NonNullable<Config['places']>) {
  const headers = { 'x-goog-api-key': key, 'content-type': 'application/json' }
  const request = async (path: string, init: RequestInit, mask: string): Promise<Response> => {
    assertNoConnectionHeld('Places')
    return await fetch(`${base}/${versionsInUse.places}/${path}`, {
      ...init,
      headers: { ...headers, 'x-goog-fieldmask': mask },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
  }
  return {
    /** US addresses that begin like the typed text. Calls of one search share a session, and are billed as one. */
    async suggest(input: string, session: string): Promise<PlaceSuggestion[]> {
      const body = { input, includedRegionCodes: ['us'], languageCode: 'en', regionCode: 'us', sessionToken: session }
      const response = await request(
        'places:autocomplete',
        { method: 'POST', body: JSON.stringify(body) },
        'suggestions.placePrediction.placeId,suggestions.placePrediction.text.text',
      )
      if (!response.ok) throw new Error(`Places answered ${response.status}`)
      const { suggestions } = Suggestions.parse(await response.json())
      return suggestions.flatMap((one) =>
        one.placePrediction ? [{ placeId: one.placePrediction.placeId, text: one.placePrediction.text.text }] : [],
      )
    },
    /** The address of a suggestion; ends the session. Undefined when Google no longer knows it. */
    async address(placeId: string, session: string): Promise<SiteAddress | undefined> {
      const query = new URLSearchParams({ sessionToken: session, languageCode: 'en', regionCode: 'us' })
      const response = await request(
        `places/${encodeURIComponent(placeId)}?${query.toString()}`,
        { method: 'GET' },
        'addressComponents',
      )
      if (response.status === 404) return undefined
      if (!response.ok) throw new Error(`Places answered ${response.status}`)
      return addressOf(Details.parse(await response.json()).addressComponents)
    },
  }
}

function addressOf(parts: z.infer<typeof Details>['addressComponents']): SiteAddress {
  const part = (...types: string[]) =>
    types.map((type) => parts.find((one) => one.types.includes(type))).find((found) => found !== undefined)
  const unit = part('subpremise')?.longText
  const street = [part('street_number')?.longText, part('route')?.longText].filter(Boolean).join(' ')
  return {
    shopAddress: street && unit ? `${street} #${unit}` : street,
    // In New York the borough takes the place of the city.
    city: part('locality', 'sublocality_level_1', 'postal_town', 'administrative_area_level_3')?.longText ?? '',
    state: part('administrative_area_level_1')?.shortText ?? '',
    zip: part('postal_code')?.longText ?? '',
  }
}
