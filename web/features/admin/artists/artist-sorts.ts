/** Sort orders of the Artists page, by their `sort` parameter. */
export const artistSorts = ['newest', 'oldest', 'name-a-z', 'name-z-a', 'email-a-z', 'email-z-a'] as const
export type ArtistSort = (typeof artistSorts)[number]
