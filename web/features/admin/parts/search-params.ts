/** The `page` parameter is omitted for page 1. */
export function toSearchParams<T extends { page?: number | undefined }>({
  page,
  ...others
}: T): Omit<T, 'page'> & { page?: number | undefined } {
  return page === undefined || page === 1 ? others : { ...others, page }
}

/**
 * The options of a navigation to these parameters of a list. The router does not scroll to the top: a list scrolls to its beginning
 * (`PagedSection`), and a dialog is shown over it.
 */
export const listNavigation = <T extends { page?: number | undefined }>(params: T) => ({
  search: toSearchParams(params),
  resetScroll: false,
})
