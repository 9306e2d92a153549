import { expect, test } from 'vitest'
import { productDocProblems } from './product-docs.ts'

const source = `
describe('posting', () => {
  test.each(['a'])('refuses %s', () => {})
  test(
    'says "no" to another artist\\'s post',
    async () => {},
  )
})`
const tests = new Map([['api/posting.test.ts', source]])
const problems = (text: string, index = '- [posting](posting.md)') =>
  productDocProblems(
    [
      { name: 'README.md', text: index },
      { name: 'posting.md', text },
    ],
    (file) => tests.get(file),
  )

test('accepts a page whose tests and titles exist, also when a title spans lines', () => {
  expect(problems('# Posting\n\n- A rule. `api/posting.test.ts`\n')).toEqual([])
  expect(problems('# Posting\n\n- A rule. `api/posting.test.ts`, "refuses", "to another\n  artist\'s post"\n')).toEqual(
    [],
  )
})

test('reports a missing test file with its line, and a path that does not begin at the root', () => {
  expect(problems('# Posting\n\n- A rule. `api/gone.test.ts`\n')).toEqual([
    expect.stringMatching(/^docs\/product\/posting\.md:3: there is no api\/gone\.test\.ts/),
  ])
  expect(problems('# Posting\n\n- A rule. `posting.test.ts`\n')).toHaveLength(1)
})

test('reports a title that its file does not have; other text of the file is no title', () => {
  expect(problems('# Posting\n\n- A rule. `api/posting.test.ts`, "posting", "takes everything"\n')).toEqual([
    'docs/product/posting.md:3: api/posting.test.ts has no test "takes everything"',
  ])
  expect(problems('# Posting\n\n- A rule. `api/posting.test.ts`, "async"\n')).toHaveLength(1)
})

test("reports a rule without a test, in a list and in a table, but not the table's header", () => {
  expect(
    problems(
      '# Posting\n\nSome words.\n\n## Rules\n\n- A rule. `api/posting.test.ts`\n- Another rule,\n  on two lines.\n',
    ),
  ).toEqual(['docs/product/posting.md:8: "- Another rule, on two lines.…" names no test'])
  expect(problems('# Posting\n\n## Rules\n\n| rule | test |\n|---|---|\n| one | |\n| two | no test |\n')).toEqual([
    'docs/product/posting.md:7: "| one | |…" names no test',
  ])
})

test('tests in a paragraph cover the rules of its section, and those before the first section the whole page', () => {
  expect(
    problems('# Posting\n\n## Rules\n\nTests: `api/posting.test.ts`.\n\n- A rule.\n\n## More\n\n- A rule.\n'),
  ).toEqual([expect.stringContaining('posting.md:11:')])
  expect(problems('# Posting\n\nTests: `api/posting.test.ts`.\n\n## Rules\n\n- A rule.\n')).toEqual([])
  expect(problems('# Posting\n\n## Rules\n\nMore in `api/posting.test.ts`.\n\n- A rule.\n')).toHaveLength(1)
})

test('reports a page that the index does not list', () => {
  expect(problems('# Posting\n', '- nothing')).toEqual(['docs/product/README.md:1: does not list posting.md'])
})
