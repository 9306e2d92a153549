import * as fs from 'node:fs'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'

/** A page of docs/product: its file name and its text. */
export type Page = { name: string; text: string }

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = 'docs/product'
const index = 'README.md'

/** A test file in backticks, and the quoted titles that follow it. */
const namedTest = /`([^`\s]+\.test(?:-long)?\.tsx?)`((?:,?\s+"[^"]+")*)/g
/** A string that comes first of several in a call or a list, as the title of a test is, and that of a case of `test.each`. */
const firstOfSeveral = /[([]\s*(['"`])((?:\\[\s\S]|(?!\1)[^\\])*)\1\s*,/g

/**
 * What is wrong with the pages, as lines `file:line: what`: a test file that is not there, a quoted title that its file does not have, a
 * section with rules that names no test, a page that the index does not list. `readTest` answers a file's text by its path from the
 * root; undefined: there is none.
 */
export function faultsOf(pages: readonly Page[], readTest: (file: string) => string | undefined): string[] {
  const faults = pages.flatMap((page) => [...faultsInTests(page, readTest), ...(page.name === index ? [] : sectionsWithoutTest(page))])
  const listed = pages.find((page) => page.name === index)?.text ?? ''
  for (const { name } of pages) if (name !== index && !listed.includes(`](${name})`)) faults.push(`${folder}/${index}:1: does not list ${name}`)
  return faults
}

function faultsInTests(page: Page, readTest: (file: string) => string | undefined): string[] {
  return [...page.text.matchAll(namedTest)].flatMap((match) => {
    const [, file = '', quoted = ''] = match
    const place = `${folder}/${page.name}:${lineAt(page.text, match.index)}`
    const text = readTest(file)
    if (text === undefined) return [`${place}: there is no ${file} (a test is named by its path from the root)`]
    const titles = titlesIn(text)
    const wanted = [...quoted.matchAll(/"([^"]+)"/g)].map((title) => (title[1] ?? '').replaceAll(/\s+/g, ' '))
    return wanted.filter((title) => !titles.some((known) => known.includes(title))).map((title) => `${place}: ${file} has no test "${title}"`)
  })
}

function titlesIn(text: string): string[] {
  return [...text.matchAll(firstOfSeveral)].map((match) => (match[2] ?? '').replaceAll(/\\(['"`])/g, '$1').replaceAll(/\s+/g, ' '))
}

/** Sections, from one heading to the next, with a list or a table and without the name of a test. */
function sectionsWithoutTest({ name, text }: Page): string[] {
  const starts = [...text.matchAll(/^#{1,6} .*$/gm)].map((match) => match.index)
  return starts.flatMap((start, nth) => {
    const section = text.slice(start, starts[nth + 1])
    const hasRules = /^(?:- |\| )/m.test(section)
    if (!hasRules || section.search(namedTest) >= 0) return []
    return [`${folder}/${name}:${lineAt(text, start)}: "${section.split('\n')[0] ?? ''}" names no test`]
  })
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split('\n').length
}

if (import.meta.main) {
  const names = fs.readdirSync(path.join(root, folder)).filter((name) => name.endsWith('.md'))
  const pages = names.map((name) => ({ name, text: fs.readFileSync(path.join(root, folder, name), 'utf8') }))
  const faults = faultsOf(pages, (file) => {
    const full = path.join(root, file)
    return fs.existsSync(full) ? fs.readFileSync(full, 'utf8') : undefined
  })
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) {
    console.error('docs/product says what the product does, and which test holds it: mend the page, or name the test as it is called now.')
    process.exit(1)
  }
}
