/** A part of a style sheet: what stands before `{`, and what is between the braces; a statement such as `@layer a, b` has no body. */
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

/** Every class a selector asks for is on the page; what it says of others (`:not(.open)`) does not matter. */
const finds = (selector: string, classes: ReadonlySet<string>) =>
  [...selector.replaceAll(/:not\((?:[^()]|\([^()]*\))*\)/g, '').matchAll(/\.(-?[a-zA-Z_][\w-]*)/g)].every(
    ([, name = '']) => classes.has(name),
  )

/** Commas between selectors, not those within `:is(a, b)`. */
const selectorsOf = (head: string) => head.split(/,(?![^()]*\))/)

/**
 * The rules of a style sheet that a page needs before anything happens on it: those whose classes all stand in its HTML. A page
 * painted with them looks as it does with the whole sheet, which may come later.
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
        const found = selectorsOf(head).filter((selector) => finds(selector, classes))
        return found.length === 0 ? '' : `${found.join(',')}{${body}}`
      })
      .join('')
  const kept = keep(css)
  // Movements nobody asks for.
  return partsOf(kept)
    .filter(
      ({ head }) =>
        !head.startsWith('@keyframes') ||
        new RegExp(`animation[^;}]*\\b${RegExp.escape(head.slice(11).trim())}\\b`).test(kept),
    )
    .map(({ head, body }) => (body === undefined ? `${head};` : `${head}{${body}}`))
    .join('')
}
