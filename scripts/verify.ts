import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { apiVersions, endingVersions, versionsInUse } from '../api/core/api-versions.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = (name: string) => `${root}node_modules/.bin/${name}`

const checks: [name: string, command: string, args: string[]][] = [
  // One program for types and for the lint rules that need them, which reads every source once.
  ['types and lint', bin('oxlint'), ['--type-aware', '--type-check', '--deny-warnings', '.']],
  ['format', bin('oxfmt'), ['--check', '.']],
  ['structure', process.execPath, ['scripts/structure.ts']],
  ['product docs', process.execPath, ['scripts/product-docs.ts']],
  ['size', process.execPath, ['scripts/sizes.ts']],
  ['citations', process.execPath, ['scripts/citations.ts']],
  ['docs', process.execPath, ['--import', './db/drizzle-resolve-hook.ts', 'scripts/docs.ts', '--check']],
]

/**
 * Runs all static checks in parallel: types, lint, format, structure, citations, bundle sizes; no database. Prints each
 * one's output when it is done. Warns of API versions of outside services that end within 60 days. Returns how many
 * checks there are and the names of the failed ones. `aside`: runs at low priority beside other work.
 */
export async function verify({ aside = false } = {}): Promise<{ checked: number; failed: string[] }> {
  for (const warning of endingVersions(apiVersions(versionsInUse), new Date())) console.warn(`warning: ${warning}`)
  const fine = await Promise.all(checks.map(async ([, command, args]) => await passes(command, args, aside)))
  return { checked: checks.length, failed: checks.filter((_check, at) => !fine[at]).map(([name]) => name) }
}

async function passes(command: string, args: string[], aside: boolean): Promise<boolean> {
  // `nice` lowers the priority of every thread; setting it from here would change only the first one.
  const kindly = aside && process.platform !== 'win32'
  const child = spawn(kindly ? 'nice' : command, kindly ? ['-n', '19', command, ...args] : args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close').catch(() => [null]) as Promise<[number | null]>
  const [said, complained, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  process.stdout.write(said)
  process.stderr.write(complained)
  return code === 0
}

if (import.meta.main) {
  const { failed } = await verify()
  if (failed.length > 0) {
    console.error(`verify failed: ${failed.join(', ')}`)
    process.exit(1)
  }
}
