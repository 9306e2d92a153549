/** The title of a route: in the signed-in header, and in the browser's tab. Spread it into the route's options. */
export function titled(title: string) {
  return {
    staticData: { title },
    head: () => ({ meta: [{ title: `${title} · Flashsheet` }] }),
  }
}
