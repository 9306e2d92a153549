/**
 * A node of a style sheet: `head` is the text before `{`, `body` the text in braces; a statement such as `@layer a, b`
 * has no body.
 */
type Part = { head: string; body?: string }

function partsOf(css: string): Part[] {
  const parts: Part[] = []
  let depth = 0
  let from = 0
  let open = 0
  for (const { 0: token, index } of css.matchAll(/\/\*[^]*?\*\/|"(?:\\.|[^"])*"|'(?:\\.|[^'])*'|[{};]/g)) {
    if (token === ';' && depth === 0) {
      parts.push({ head: css.slice(from, index).trim() })
      from = index + 1
    }
    if (token === '{' && depth++ === 0) open = index
    if (token === '}' && --depth === 0) {
      parts.push({ head: css.slice(from, open).trim(), body: css.slice(open + 1, index) })
      from = index + 1
    }
  }
  return parts
}

/** Whether every class of a selector is on the page; classes in `:not(.open)` do not matter. */
const matchesAll = (selector: string, classes: ReadonlySet<string>) =>
  [...selector.replaceAll(/:not\((?:[^()]|\([^()]*\))*\)/g, '').matchAll(/\.(-?[a-zA-Z_][\w-]*)/g)].every(
    ([, name = '']) => classes.has(name),
  )

/** Splits at commas between selectors, not at those in `:is(a, b)`. */
const selectorsOf = (head: string) => head.split(/,(?![^()]*\))/)

/**
 * The critical CSS of a page: the rules whose classes all occur in its HTML. The first paint with them looks as with
 * the whole sheet, which may load later.
 */
export function criticalCss(css: string, html: string): string {
  const classes = new Set([...html.matchAll(/\sclass="([^"]*)"/g)].flatMap(([, names = '']) => names.split(/\s+/)))
  const keep = (sheet: string): string =>
    partsOf(sheet)
      .map(({ head, body }) => {
        if (body === undefined) return `${head};`
        if (/^@(?:media|supports|layer|container)\b/.test(head)) {
          const inner = keep(body)
          return inner === '' ? '' : `${head}{${inner}}`
        }
        if (head.startsWith('@')) return `${head}{${body}}`
        const found = selectorsOf(head).filter((selector) => matchesAll(selector, classes))
        return found.length === 0 ? '' : `${found.join(',')}{${body}}`
      })
      .join('')
  const kept = keep(css)
  // Drops unused keyframes.
  return partsOf(kept)
    .filter(
      ({ head }) =>
        !head.startsWith('@keyframes') ||
        new RegExp(`animation[^;}]*\\b${RegExp.escape(head.slice(11).trim())}\\b`).test(kept),
    )
    .map(({ head, body }) => (body === undefined ? `${head};` : `${head}{${body}}`))
    .join('')
}
