import * as path from 'node:path'
import { listFiles, readFile } from './repository-files.ts'

/** Citations of documents that are not in the repository. */
const outsideDocuments = [
  /\b(?:design|spec|wire(?:-2)?|platform-apis(?:-2)?|bookings-sites-billing|doors-money-phone|product-spec) §? ?\d+(?:\.\d+)*/,
  /\((?:design|spec|wire(?:-2)?|look|stack|sandbox|models)(?:[:,] | \d)[^)]*\)?/,
  /\bwire(?:: [A-Z][A-Za-z]+|'s\b| page\b)/,
  /\b(?:platform-apis|bookings-sites-billing|doors-money-phone|product-spec)\b/,
  /\bthe spec(?:'s)?\b/,
]

/** A decision is not rewritten, so its paths may be outdated. */
const isDated = (file: string) => file.startsWith('docs/decisions/') && !file.endsWith('/README.md')

/** Created by a build or a run, and not in the repository. */
const isGenerated = (name: string) => /^(?:(?:web\/)?dist|node_modules|\.data|\.tsbuild|\.cache)(?:\/|$)/.test(name)

const topFolders = 'api|bench|db|docs|e2e|packages|patches|scripts|web'
const extensions = 'css|html|js|json|md|mjs|mts|patch|sql|ts|tsx|webp|yaml|yml'
/** A file path from the root, anywhere in a sentence. */
const fullPath = new RegExp(`(?<![\\w/.@:~-])((?:${topFolders})/[\\w@$.*{},/-]*?\\.(?:${extensions}))(?![\\w/])`, 'g')
/** A path in backticks, also of a folder, or the end of a path. */
const inBackticks = new RegExp(
  '`((?:' + topFolders + ')/[\\w@$.*{},/-]*|[\\w@$.*{},/-]+\\.(?:' + extensions + '))`',
  'g',
)
const quotedSection = /^`?, "([^"]+)"/
const decisionNumber = /\bdecisions? (\d{1,4})\b/g
const link = /\]\(([^)\s]+)\)/g

/** A camelCase or PascalCase name in backticks: `publishTarget`, `PublishJob`, `steps.prepareNow`. */
const codeName = /`(?:[a-z]\w*\.)?([A-Za-z]+[a-z][A-Z]\w*)(?:\([^`]*\))?`/g

/** A name followed by its source: `publishTarget` (`service/publish.ts`). */
const nameInFile = /`(?:\w+\.)*(\w+)(?:\([^`]*\))?`,? \(`([\w/.-]+\.tsx?)`/g

/** The files of the repository, by path from its root. `names`: every identifier of its sources. */
export type Tracked = {
  files: ReadonlySet<string>
  folders: ReadonlySet<string>
  names: ReadonlySet<string>
  read: (file: string) => string
}
type Line = { number: number; text: string }

/** The comments of a source by line. A comment begins a line, or follows code and a blank. */
export function commentLines(text: string): Line[] {
  let isInside = false
  return text.split('\n').flatMap((line, at) => {
    const number = at + 1
    if (isInside) {
      const end = line.indexOf('*/')
      isInside = end < 0
      return [{ number, text: end < 0 ? line : line.slice(0, end) }]
    }
    const begin = /(?:^|[\s({,;])(?:\/\/ |\/\*)/.exec(line)
    if (!begin) return []
    const comment = line.slice(begin.index)
    isInside = comment.includes('/*') && !comment.includes('*/')
    return [{ number, text: comment }]
  })
}

/** Expands `{a,b}` into one name each. */
function expandBraces(name: string): string[] {
  const braces = /^([^{]*)\{([^}]*)\}(.*)$/.exec(name)
  return braces
    ? (braces[2] ?? '').split(',').flatMap((one) => expandBraces(`${braces[1] ?? ''}${one}${braces[3] ?? ''}`))
    : [name]
}

/** Whether a name is a file or folder, or the end of a file's path, such as `rules/retry.ts`. */
function existsIn(name: string, tracked: Tracked): boolean {
  const bare = name.replace(/^\.\//, '').replace(/\/$/, '')
  if (isGenerated(bare) || tracked.files.has(bare) || tracked.folders.has(bare)) return true
  const pattern = new RegExp(`(?:^|/)${RegExp.escape(bare).replaceAll('\\*', '[^/]*')}$`)
  const isFull = new RegExp(`^(?:${topFolders})/`).test(bare)
  return [...tracked.files, ...(isFull ? tracked.folders : [])].some((known) => pattern.test(known))
}

function citedPaths(line: string): { name: string; rest: string }[] {
  const found = new Map<string, string>()
  for (const pattern of [fullPath, inBackticks]) {
    for (const match of line.matchAll(pattern)) found.set(match[1] ?? '', line.slice(match.index + match[0].length))
  }
  // A name with a placeholder is a pattern and is not checked.
  return [...found]
    .filter(([name]) => name !== '' && !/NNNN|\.\.\.|^\.[a-z]+$/.test(name))
    .map(([name, rest]) => ({ name, rest }))
}

/** Citations of missing files, as sentences that begin with the citing file and line. */
export function citationProblems(file: string, text: string, tracked: Tracked): string[] {
  const isPage = file.endsWith('.md')
  const lines = isPage ? text.split('\n').map((line, at) => ({ number: at + 1, text: line })) : commentLines(text)
  return lines.flatMap((line) => {
    const problems = [
      ...(isPage ? deadLinks(file, line.text, tracked) : []),
      ...(isDated(file) ? [] : [...missingPaths(line.text, tracked), ...missingDecisions(line.text, tracked)]),
      ...(isPage && !isDated(file) ? [...missingNames(line.text, tracked), ...misplacedNames(line.text, tracked)] : []),
      ...(isDated(file) ? [] : citedOutside(line.text)),
    ]
    return problems.map((problem) => `${file}:${line.number}: ${problem}`)
  })
}

function deadLinks(file: string, line: string, tracked: Tracked): string[] {
  return [...line.matchAll(link)].flatMap(([, target = '']) => {
    const [address = ''] = target.split('#')
    if (address === '' || /^[a-z]+:/.test(address)) return []
    const full = path.posix.normalize(path.posix.join(path.posix.dirname(file), decodeURIComponent(address)))
    return tracked.files.has(full) || tracked.folders.has(full.replace(/\/$/, ''))
      ? []
      : [`the link leads to ${full}, which does not exist.`]
  })
}

function missingPaths(line: string, tracked: Tracked): string[] {
  return citedPaths(line.replaceAll(link, ']')).flatMap(({ name, rest }) => {
    const missing = expandBraces(name).filter((one) => !existsIn(one, tracked))
    const section = quotedSection.exec(rest)?.[1]
    const isSectionMissing =
      section !== undefined && name.endsWith('.md') && tracked.files.has(name) && !tracked.read(name).includes(section)
    return [
      ...missing.map((one) => `cites ${one}, which does not exist.`),
      ...(isSectionMissing ? [`cites "${section}" of ${name}, which has no such section.`] : []),
    ]
  })
}

function missingNames(line: string, { names }: Tracked): string[] {
  return [...line.matchAll(codeName)].flatMap(([, name = '']) =>
    names.has(name) ? [] : [`names ${name}, which no source contains.`],
  )
}

function misplacedNames(line: string, { files, read }: Tracked): string[] {
  return [...line.matchAll(nameInFile)].flatMap(([, name = '', source = '']) => {
    const sources = [...files].filter((file) => file === source || file.endsWith(`/${source}`))
    const isInFile = sources.length === 0 || sources.some((file) => new RegExp(`\\b${name}\\b`).test(read(file)))
    return isInFile ? [] : [`names ${name} in ${source}, which does not contain it.`]
  })
}

function missingDecisions(line: string, tracked: Tracked): string[] {
  return [...line.matchAll(decisionNumber)].flatMap(([, number = '']) => {
    const begin = `docs/decisions/${number.padStart(4, '0')}-`
    return [...tracked.files].some((one) => one.startsWith(begin))
      ? []
      : [`cites decision ${number}, which does not exist.`]
  })
}

function citedOutside(line: string): string[] {
  const [cited] = outsideDocuments.flatMap((pattern) => pattern.exec(line)?.[0] ?? [])
  return cited === undefined
    ? []
    : [`cites "${cited}", a document that is not in this repository. Give the reason itself, or cite a page of docs.`]
}

function readTracked(): Tracked {
  const files = new Set(listFiles())
  const folders = new Set<string>()
  for (const file of files)
    for (let at = path.posix.dirname(file); at !== '.'; at = path.posix.dirname(at)) folders.add(at)
  const names = new Set(
    [...files]
      .filter((file) => /\.(?:tsx?|mts|mjs|js|sql|json|yaml)$/.test(file))
      .flatMap((file) => readFile(file).match(/\w+/g) ?? []),
  )
  return { files, folders, names, read: readFile }
}

if (import.meta.main) {
  const tracked = readTracked()
  const checked = [...tracked.files].filter(
    (file) =>
      /\.(?:md|tsx?|mts|mjs|css)$/.test(file) &&
      !file.endsWith('.gen.ts') &&
      !file.startsWith('web/features/blog/posts/'),
  )
  const problems = checked.flatMap((file) => citationProblems(file, readFile(file), tracked))
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exit(1)
}
