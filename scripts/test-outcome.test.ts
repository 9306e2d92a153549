import { describe, expect, test } from 'vitest'
import { fileToRerun, flakyTests, lastLine, latestOutcomes, slowestFiles, type FileOutcome } from './test-outcome.ts'

const outcome = (file: string, failures: string[] = [], durationMs = 0): FileOutcome => ({
  file,
  passed: 1,
  failures,
  durationMs,
})
const normal = { long: false, unhandled: 0 }

describe('a rerun', () => {
  test.each([
    ['nothing failed', [outcome('e2e/a.test.ts')], normal],
    ['the failed file is no browser test', [outcome('api/a.test.ts', ['a'])], normal],
    ['two browser files failed', [outcome('e2e/a.test.ts', ['a']), outcome('e2e/b.test.ts', ['b'])], normal],
    ['another file failed as well', [outcome('e2e/a.test.ts', ['a']), outcome('db/b.test.ts', ['b'])], normal],
    ['an error was thrown outside a test', [outcome('e2e/a.test.ts', ['a'])], { long: false, unhandled: 1 }],
    ['the run is the long one', [outcome('e2e/a.test.ts', ['a'])], { long: true, unhandled: 0 }],
  ])('is refused when %s', (_when, outcomes, circumstances) => {
    expect(fileToRerun(outcomes, circumstances)).toBeUndefined()
  })

  test('is allowed for the only browser file that failed', () => {
    expect(fileToRerun([outcome('api/a.test.ts'), outcome('e2e/b.test.ts', ['b'])], normal)).toBe('e2e/b.test.ts')
  })

  test('replaces the outcome of its file, and names the flaky tests', () => {
    const first = [outcome('api/a.test.ts'), outcome('e2e/b.test.ts', ['b > one', 'b > two'])]
    const second = [outcome('e2e/b.test.ts', ['b > two'])]
    expect(flakyTests(first, second)).toEqual(['b > one'])
    expect(latestOutcomes(first, second)).toEqual([first[0], second[0]])
    expect(flakyTests(first, [])).toEqual([])
    expect(flakyTests(first, [outcome('e2e/b.test.ts', ['e2e/b.test.ts'])])).toEqual([])
  })
})

test('the last line counts flaky tests only when there are any', () => {
  expect(lastLine({ passed: 3629, failed: 0, flaky: 0 })).toBe('3629 passed, 0 failed')
  expect(lastLine({ passed: 3629, failed: 0, flaky: 1 })).toBe('3629 passed, 0 failed, 1 flaky')
})

test('names the slowest files with their seconds, the slowest first', () => {
  const files = [outcome('a', [], 1000), outcome('b', [], 61_230), outcome('c', [], 2000), outcome('d', [], 500)]
  expect(slowestFiles(files)).toBe('b 61.2 s, c 2.0 s, a 1.0 s')
})
