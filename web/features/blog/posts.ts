export type BlogPost = {
  slug: string
  /** The day it came out, `2026-11-18`. */
  date: string
  title: string
  /** One or two sentences, plain text. */
  summary: string
  /** Made from our own Markdown at build. */
  html: string
}

/** Every post, newest first. */
export const blogPosts: readonly BlogPost[] = Object.values(
  import.meta.glob<BlogPost>('./posts/*.md', { eager: true, import: 'default' }),
).sort((a, b) => b.date.localeCompare(a.date))

/** A post's day in words, the same everywhere: `November 18, 2026`. */
export const dayOf = (post: BlogPost): string =>
  new Date(`${post.date}T12:00:00Z`).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })
