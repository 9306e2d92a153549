/** The `page` parameter is omitted for page 1. */
export function toSearchParams<T extends { page?: number | undefined }>({
  page,
  ...others
}: T): Omit<T, 'page'> & { page?: number | undefined } {
  return page === undefined || page === 1 ? others : { ...others, page }
}
