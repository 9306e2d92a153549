import { marked } from 'marked'
import * as path from 'node:path'
import type { Plugin } from 'vite'

/**
 * Turns a blog post, `posts/<date>-<slug>.md` with `title` and `summary` as front matter, into a module with HTML, so that the browser
 * loads no Markdown parser. Throws at build time when one of them is missing.
 */
export function blogPosts(): Plugin {
  return {
    name: 'blog-posts',
    async transform(source, id) {
      if (!id.endsWith('.md')) return null
      const name = /^(\d{4}-\d\d-\d\d)-([a-z0-9-]+)\.md$/.exec(path.basename(id))
      const sections = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(source)
      const frontMatter = new Map(
        (sections?.[1] ?? '')
          .split('\n')
          .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
      )
      const post = {
        slug: name?.[2],
        date: name?.[1],
        title: frontMatter.get('title'),
        summary: frontMatter.get('summary'),
        html: await marked.parse(sections?.[2] ?? ''),
      }
      if (Object.values(post).some((value) => !value))
        throw new Error(`${id}: a post is named <date>-<slug>.md and begins with its title and summary.`)
      return { code: `export default ${JSON.stringify(post)}`, map: null }
    },
  }
}
