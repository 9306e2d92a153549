import type { FindPlace, SiteAddress, SuggestPlaces } from '@flashsheet/contracts/website/schema'
import { consumeRateLimit } from '../../../core/limits.ts'
import type { StudioCtx } from '../../../core/context.ts'
import type { PlaceSuggestion, PlacesGateway } from '../../../gateways/places.ts'

/** US addresses that match the input. Returns none when Places fails or the rate limit is reached: the artist can type the address. */
export async function suggestPlaces(ctx: StudioCtx, { input, session }: SuggestPlaces): Promise<PlaceSuggestion[]> {
  return (await orUndefined(ctx, async (places) => await places.suggest(input, session))) ?? []
}

/** The fields of a suggestion; null when Places fails or does not know it, or the rate limit is reached. */
export async function findPlace(ctx: StudioCtx, { placeId, session }: FindPlace): Promise<SiteAddress | null> {
  return (await orUndefined(ctx, async (places) => await places.address(placeId, session))) ?? null
}

async function orUndefined<T>(ctx: StudioCtx, ask: (places: PlacesGateway) => Promise<T>): Promise<T | undefined> {
  const { places } = ctx.gateways
  if (!places) return undefined
  try {
    await consumeRateLimit(ctx, 'placesPerArtist', ctx.owner)
    return await ask(places)
  } catch (error) {
    ctx.log.warn({ err: error, requestId: ctx.requestId }, 'addresses could not be suggested')
    return undefined
  }
}
