/** What stands in the address for what is asked for: the first page is not said. */
export function toSearchParams<T extends { page?: number | undefined }>({
  page,
  ...asked
}: T): Omit<T, 'page'> & { page?: number | undefined } {
  return page === undefined || page === 1 ? asked : { ...asked, page }
}
