import * as fs from 'node:fs'

const folder = new URL('../docs/decisions/', import.meta.url)

/** Errors in the index of decisions: each page must be listed once, with its number, a date and a status. */
export function decisionProblems(index: string, files: readonly string[]): string[] {
  const rows = index.split('\n').filter((line) => line.startsWith('| ['))
  return files.flatMap((file) => {
    const own = rows.filter((line) => line.includes(`](${file})`))
    const number = String(Number(file.slice(0, 4)))
    const [row = ''] = own
    const isListed =
      own.length === 1 &&
      new RegExp(
        `^\\| \\[${number}\\]\\([^)]+\\) \\| [^|]+ \\| \\d{4}-\\d\\d-\\d\\d \\| (?:in force|superseded)[^|]* \\| [^|]+ \\|$`,
      ).test(row)
    return isListed
      ? []
      : [
          `docs/decisions/${file}: the index (docs/decisions/README.md) must have one line for it: | [${number}](${file}) | title | date | in force, or superseded by … | one sentence |`,
        ]
  })
}

/** The errors in this repository's index. */
export function unlistedDecisions(): string[] {
  const files = fs.readdirSync(folder).filter((file) => /^\d{4}-.*\.md$/.test(file))
  return decisionProblems(fs.readFileSync(new URL('README.md', folder), 'utf8'), files.toSorted())
}
