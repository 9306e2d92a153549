import { analyse } from 'scslre'
import { parseSync } from 'vite'
import { describe, expect, test } from 'vitest'
import { readSources } from './structure.ts'

/** Sources whose patterns run on untrusted text. */
const isProduct = (file: string) =>
  /^(?:api|db|web|packages\/contracts)\//.test(file) && !/\.test(?:-long)?\.tsx?$|^api\/testing\/|\.d\.ts$/.test(file)

/** Files with patterns composed at run time, which this test cannot analyse, and why each pattern is linear. */
const composed: Record<string, string> = {
  'api/core/api-keys.ts': 'a fixed beginning and a fixed number of letters and digits',
  'api/core/built-web.ts': 'our own routes: whole paths, each part `[^/]+` up to the next slash',
  'api/core/defuse-links.ts': 'a single character; and words of ours without repetition',
  'db/migration-rules.ts': 'our own migrations, one short statement at a time',
  'web/chunks.ts': 'names of modules, while the browser app is built',
}

type FilePatterns = { file: string; patterns: RegExp[]; isComposed: boolean }

function patternsOf(file: string, text: string): FilePatterns {
  const found: FilePatterns = { file, patterns: [], isComposed: false }
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(walk)
    if (node === null || typeof node !== 'object') return
    const { type, regex, callee } = node as {
      type?: string
      regex?: { pattern: string; flags: string }
      callee?: { name?: string }
    }
    if (type === 'Literal' && regex) found.patterns.push(new RegExp(regex.pattern, regex.flags))
    if ((type === 'NewExpression' || type === 'CallExpression') && callee?.name === 'RegExp') found.isComposed = true
    Object.values(node).forEach(walk)
  }
  walk(parseSync(file, text).program)
  return found
}

/** The reasons why a pattern may take more than linear time; empty when it cannot. */
const slowPaths = ({ source, flags }: RegExp): string[] =>
  analyse({ source, flags }).reports.map(
    ({ type, exponential, character }) =>
      `${exponential ? 'exponential' : 'quadratic'} (${type}) on repeats of ${character.literal.source}`,
  )

describe('patterns', () => {
  test('that need more than linear time are detected', () => {
    expect(slowPaths(/^\/+|\/+$/g)).toEqual([expect.stringContaining('quadratic')])
    expect(slowPaths(/^(?:a+)+$/)).toEqual([expect.stringContaining('exponential')])
    expect(slowPaths(/^a+b?$/)).toEqual([])
  })

  test('on untrusted text are all linear', () => {
    const all = readSources()
      .filter(({ file }) => isProduct(file))
      .map(({ file, text }) => patternsOf(file, text))
    expect(all.reduce((sum, { patterns }) => sum + patterns.length, 0)).toBeGreaterThan(100)
    expect(
      all.flatMap(({ file, patterns }) =>
        patterns.flatMap((pattern) => slowPaths(pattern).map((why) => `${file}: ${String(pattern)} is ${why}`)),
      ),
    ).toEqual([])
    expect(
      all
        .filter(({ isComposed }) => isComposed)
        .map(({ file }) => file)
        .toSorted(),
    ).toEqual(Object.keys(composed).toSorted())
  })
})
