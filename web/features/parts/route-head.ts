/** The title of a route: in the signed-in header, and in the browser's tab. Spread it into the route's options. */
export function routeTitle(title: string) {
  return {
    staticData: { title },
    head: () => ({ meta: [{ title: `${title} · Flashsheet` }] }),
  }
}

/** Like `routeTitle`, with metadata for search engines and link previews. The server replaces `%PUBLIC_URL%` in prerendered pages. */
export function described(title: string, description: string, type: 'website' | 'article' = 'website') {
  const whole = title.includes('Flashsheet') ? title : `${title} · Flashsheet`
  return {
    staticData: { title },
    head: () => ({
      meta: [
        { title: whole },
        { name: 'description', content: description },
        { property: 'og:title', content: whole },
        { property: 'og:description', content: description },
        { property: 'og:type', content: type },
        { property: 'og:site_name', content: 'Flashsheet' },
        { property: 'og:image', content: '%PUBLIC_URL%/preview.png' },
        { name: 'twitter:card', content: 'summary_large_image' },
      ],
    }),
  }
}
