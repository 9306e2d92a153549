import * as path from 'node:path'
import { listFiles, readFile } from './repository-files.ts'

/** A page of docs/product: its file name and its text. */
export type Page = { name: string; text: string }

const folder = 'docs/product'
const index = 'README.md'

/** A test file in backticks, and the quoted titles that follow it. */
const namedTest = /`([^`\s]+\.test(?:-long)?\.tsx?)`((?:,?\s+"[^"]+")*)/g
/** The words by which a paragraph's tests cover its whole section. */
const coversSection = /\bTests?: |\b[Hh]eld by /
/** The first string of several in a call or a list: the title of a test, or of a case of `test.each`. */
const firstOfSeveral = /[([]\s*(['"`])((?:\\[\s\S]|(?!\1)[^\\])*)\1\s*,/g

/**
 * Errors in the pages, as lines `file:line: what`: a missing test file, a quoted title that its file does not have, a
 * rule without a test, a page that the index does not list. `readTest` returns a file's text by its path from the root;
 * undefined: missing.
 */
export function productDocProblems(pages: readonly Page[], readTest: (file: string) => string | undefined): string[] {
  const problems = pages.flatMap((page) => [
    ...problemsInTests(page, readTest),
    ...(page.name === index ? [] : rulesWithoutTest(page)),
  ])
  const listed = pages.find((page) => page.name === index)?.text ?? ''
  for (const { name } of pages)
    if (name !== index && !listed.includes(`](${name})`)) problems.push(`${folder}/${index}:1: does not list ${name}`)
  return problems
}

function problemsInTests(page: Page, readTest: (file: string) => string | undefined): string[] {
  return [...page.text.matchAll(namedTest)].flatMap((match) => {
    const [, file = '', quoted = ''] = match
    const place = `${folder}/${page.name}:${lineAt(page.text, match.index)}`
    const text = readTest(file)
    if (text === undefined) return [`${place}: there is no ${file} (a test is named by its path from the root)`]
    const titles = titlesIn(text)
    const quotedTitles = [...quoted.matchAll(/"([^"]+)"/g)].map((title) => (title[1] ?? '').replaceAll(/\s+/g, ' '))
    return quotedTitles
      .filter((title) => !titles.some((known) => known.includes(title)))
      .map((title) => `${place}: ${file} has no test "${title}"`)
  })
}

function titlesIn(text: string): string[] {
  return [...text.matchAll(firstOfSeveral)].map((match) =>
    (match[2] ?? '').replaceAll(/\\(['"`])/g, '$1').replaceAll(/\s+/g, ' '),
  )
}

/**
 * Rules (list items, table rows) without the name of a test. "Tests: …" or "Held by …" in a paragraph covers all rules
 * of its section, or of the page when it stands before the first section. A rule without any test says "no test".
 */
function rulesWithoutTest({ name, text }: Page): string[] {
  const starts = [0, ...[...text.matchAll(/^##+ .*$/gm)].map((match) => match.index)]
  const sections = starts.map((start, nth) => ({ start, ...partsOf(text.slice(start, starts[nth + 1])) }))
  if (sections[0]?.hasTest) return []
  return sections.flatMap(({ start, hasTest, rules }) =>
    (hasTest ? [] : rules)
      .filter((rule) => rule.text.search(namedTest) < 0 && !rule.text.includes('no test'))
      .map(
        (rule) =>
          `${folder}/${name}:${lineAt(text, start + rule.at)}: "${rule.text.replaceAll(/\s+/g, ' ').slice(0, 60).trim()}…" names no test`,
      ),
  )
}

/** The rules of a section, and whether the section names a test. */
function partsOf(section: string): { hasTest: boolean; rules: { at: number; text: string }[] } {
  const rules = [...section.matchAll(/^(?:- .*(?:\n {2,}.*)*|\| .*)$/gm)].map((match) => ({
    at: match.index,
    text: match[0],
  }))
  const rest = rules.reduceRight((left, { at, text }) => left.slice(0, at) + left.slice(at + text.length), section)
  // The header row of a table.
  const isHeading = ({ at, text }: { at: number; text: string }) => section.slice(at + text.length).startsWith('\n|--')
  return {
    hasTest: coversSection.test(rest) && rest.search(namedTest) >= 0,
    rules: rules.filter((rule) => !isHeading(rule)),
  }
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split('\n').length
}

if (import.meta.main) {
  const pages = listFiles(`${folder}/*.md`).map((file) => ({ name: path.posix.basename(file), text: readFile(file) }))
  const sources = new Set(listFiles('*.ts', '*.tsx'))
  const problems = productDocProblems(pages, (file) => (sources.has(file) ? readFile(file) : undefined))
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) {
    console.error(
      'docs/product says what the product does, and which test holds it: correct the page, or the name of the test in it.',
    )
    process.exit(1)
  }
}
