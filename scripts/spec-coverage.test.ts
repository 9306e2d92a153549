import * as fs from 'node:fs'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const rows = fs
  .readFileSync(path.join(root, 'docs/spec-coverage.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| statement'))
  .map((line) => line.split(/(?<!\\)\|/).slice(1, -1).map((cell) => cell.trim()))

/** `a/{b,c}.ts` as `a/b.ts` and `a/c.ts`. */
function spread(name: string): string[] {
  const braces = /^([^{]*)\{([^}]*)\}(.*)$/.exec(name)
  return braces ? (braces[2] ?? '').split(',').map((one) => `${braces[1] ?? ''}${one}${braces[3] ?? ''}`) : [name]
}

/** Where a row's words for a place may lie (the page's own rule); a bare file name stands beside the place named before it. */
function places(name: string, before: string): string[] {
  const full = name.replace(/^w\//, 'web/features/').replace(/^contracts\b/, 'packages/contracts')
  return [full, `api/features/${full}`, `api/${full}`, ...(full.includes('/') ? [`web/routes/${full}`] : [path.join(path.dirname(before), full)])]
}

const isFile = (name: string) => /^[\w.@$*{},/-]+\.(?:ts|tsx|css|md)$/.test(name)

describe('the page of the specification’s coverage', () => {
  test('leaves nothing open, and says of each statement where it lives and what holds it', () => {
    expect(rows.length).toBeGreaterThan(100)
    expect(rows.filter(([statement, where, held]) => !statement || !where || !held || /^`?open`?$/.test(held))).toEqual([])
  })

  test('names files that are there', () => {
    const missing: string[] = []
    for (const [statement, ...cells] of rows) {
      let before = ''
      for (const [, code = ''] of cells.join(' ').matchAll(/`([^`]+)`/g)) {
        for (const name of spread(code).filter(isFile)) {
          const found = places(name, before).find((place) => fs.globSync(place, { cwd: root }).length > 0)
          if (found === undefined) missing.push(`${name} (${statement ?? ''})`)
          else before = found
        }
      }
    }
    expect(missing).toEqual([])
  })
})
