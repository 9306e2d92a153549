import { expect, test } from 'vitest'
import { citationProblems, commentLines, type Tracked } from './citations.ts'
import { decisionProblems } from './decisions.ts'
import { withGeneratedSection } from './generated-section.ts'

const files = [
  'docs/product/media.md',
  'docs/decisions/0007-billing.md',
  'api/features/posts/rules/retry.ts',
  'README.md',
]
const tracked: Tracked = {
  files: new Set(files),
  folders: new Set(['docs', 'docs/product', 'docs/decisions', 'api', 'api/features']),
  names: new Set(['publishTarget']),
  read: () => '## Looking at files',
}
const cited = (line: string, file = 'README.md') => citationProblems(file, line, tracked)

test.each([
  ['a path that does not exist', 'See docs/product/film.md.', 'docs/product/film.md'],
  ['the end of a path that no file has', 'See `rules/film.ts`.', 'rules/film.ts'],
  ['a folder that does not exist', 'See `api/films`.', 'api/films'],
  ['one of several names in braces', 'See `posts/rules/{retry,film}.ts`.', 'posts/rules/film.ts'],
  ['a section that its page does not have', 'See `docs/product/media.md`, "Films".', 'Films'],
  ['a name that no source contains', 'See `publishTargets`.', 'publishTargets'],
  [
    'a name that its file does not contain',
    'See `publishTarget` (`rules/retry.ts`).',
    'publishTarget in rules/retry.ts',
  ],
  ['a decision without a page', 'See decision 8.', 'decision 8'],
  ['a link to a missing page', 'See [films](docs/films.md).', 'docs/films.md'],
  ['a document outside the repository', 'Never twice (design 4).', 'design 4'],
])('rejects %s', (_what, line, named) => {
  expect(cited(line)).toEqual([expect.stringMatching(/^README\.md:1: /)])
  expect(cited(line)[0]).toContain(named)
})

test.each([
  'See docs/product/media.md, `docs/product` and `docs/product/media.md`, "Looking at files".',
  'See `publishTarget`, `posts.publishTarget()`, `posts/rules/retry.ts`, `retry.ts` and `api/features/*/rules/retry.ts`.',
  'See [media](docs/product/media.md#rooms), [the net](https://example.com) and decision 7.',
])('accepts what exists: %s', (line) => expect(cited(line)).toEqual([]))

test('reads the comments of a source only', () => {
  const missing = 'docs/films.md'
  const source = [
    `const page = '${missing}'`,
    `// See ${missing}.`,
    `run() // ${missing}`,
    '/**',
    ` * ${missing}`,
    ' */',
    `load('${missing}')`,
  ].join('\n')
  expect(commentLines(source).map(({ number }) => number)).toEqual([2, 3, 4, 5, 6])
  expect(citationProblems('api/run.ts', source, tracked).map((problem) => problem.split(':')[1])).toEqual([
    '2',
    '3',
    '5',
  ])
})

test('does not check paths in a decision', () => {
  expect(cited('It stands in `web/lib/films.ts`.', 'docs/decisions/0007-billing.md')).toEqual([])
})

test('rejects a decision that the index does not list exactly once, with date and status', () => {
  const row = '| [7](0007-billing.md) | Billing | 2026-11-21 | in force | One look. |'
  expect(decisionProblems(row, ['0007-billing.md'])).toEqual([])
  for (const index of [
    '',
    `${row}\n${row}`,
    row.replace('[7]', '[8]'),
    row.replace('in force', 'maybe'),
    row.replace('2026-11-21', 'lately'),
  ]) {
    expect(decisionProblems(index, ['0007-billing.md'])).toHaveLength(1)
  }
})

test('replaces a generated section and keeps the rest of the page', () => {
  const page = 'Before\n\n<!-- made by `pnpm docs:generate`: tables -->\n\nold\n\n<!-- /tables -->\n\nAfter\n'
  expect(withGeneratedSection(page, 'tables', 'new')).toBe(page.replace('old', 'new'))
  expect(() => withGeneratedSection('Before\n', 'tables', 'new')).toThrow('no section')
})
