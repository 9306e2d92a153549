import type { FindPlace, SiteAddress, SuggestPlaces } from '@flashsheet/contracts/website/schema'
import { countAgainst } from '../../../core/limits.ts'
import type { StudioCtx } from '../../../core/context.ts'
import type { PlaceSuggestion, PlacesGateway } from '../../../gateways/places.ts'

/** Addresses in the US for what is being typed; none whenever Places cannot be asked: typing by hand always works. */
export async function suggestPlaces(ctx: StudioCtx, { input, session }: SuggestPlaces): Promise<PlaceSuggestion[]> {
  return (await silently(ctx, async (places) => await places.suggest(input, session))) ?? []
}

/** The fields of a suggestion; null whenever they cannot be had. */
export async function findPlace(ctx: StudioCtx, { placeId, session }: FindPlace): Promise<SiteAddress | null> {
  return (await silently(ctx, async (places) => await places.address(placeId, session))) ?? null
}

async function silently<T>(ctx: StudioCtx, ask: (places: PlacesGateway) => Promise<T>): Promise<T | undefined> {
  const { places } = ctx.gateways
  if (!places) return undefined
  try {
    await countAgainst(ctx, 'placesPerArtist', ctx.owner)
    return await ask(places)
  } catch (error) {
    ctx.log.warn({ err: error, requestId: ctx.requestId }, 'addresses could not be suggested')
    return undefined
  }
}
