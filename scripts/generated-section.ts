/** `page` with `content` as its section `name`. Throws when the page has no markers for it. */
export function withGeneratedSection(page: string, name: string, content: string): string {
  const [begins, ends] = [`<!-- made by \`pnpm docs:generate\`: ${name} -->`, `<!-- /${name} -->`]
  const [from, to] = [page.indexOf(begins), page.indexOf(ends)]
  if (from < 0 || to < from) throw new Error(`the page has no section "${name}" between ${begins} and ${ends}`)
  return `${page.slice(0, from)}${begins}\n\n${content}\n\n${page.slice(to)}`
}
