export type BlogPost = {
  slug: string
  /** The day of publication, `2026-11-18`. */
  date: string
  title: string
  /** One or two sentences, plain text. */
  summary: string
  /** Made at build time from our own Markdown. */
  html: string
}

/** Every post, newest first. */
export const blogPosts: readonly BlogPost[] = Object.values(
  import.meta.glob<BlogPost>('./posts/*.md', { eager: true, import: 'default' }),
).sort((a, b) => b.date.localeCompare(a.date))

/** `November 18, 2026`, in every time zone. */
export const dayOf = (post: BlogPost): string =>
  new Date(`${post.date}T12:00:00Z`).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })
