import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { apiVersions, endingVersions, versionsInUse } from '../api/core/api-versions.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = (name: string) => `${root}node_modules/.bin/${name}`

const checks: [name: string, command: string, args: string[]][] = [
  // The type checker and the type-aware lint rules run as one program, which reads each source once.
  ['types and lint', bin('oxlint'), ['--type-aware', '--type-check', '--deny-warnings', '.']],
  ['format', bin('oxfmt'), ['--check', '.']],
  ['structure', process.execPath, ['scripts/structure.ts']],
  ['product docs', process.execPath, ['scripts/product-docs.ts']],
  ['size', process.execPath, ['scripts/sizes.ts']],
  ['citations', process.execPath, ['scripts/citations.ts']],
  ['migrations', process.execPath, ['--import', './db/drizzle-resolve-hook.ts', 'scripts/migrations.ts', '--check']],
  ['docs', process.execPath, ['--import', './db/drizzle-resolve-hook.ts', 'scripts/docs.ts', '--check']],
]

/**
 * Runs all static checks in parallel: types, lint, format, structure, citations, docs, migrations, bundle sizes; no database. Prints
 * the output of each when it ends. Warns of API versions of outside services that end within 60 days. Returns the number of
 * checks and the names of the failed ones.
 */
export async function verify({ lowPriority = false } = {}): Promise<{ checked: number; failed: string[] }> {
  for (const warning of endingVersions(apiVersions(versionsInUse), new Date())) console.warn(`warning: ${warning}`)
  const passed = await Promise.all(checks.map(async ([, command, args]) => await passes(command, args, lowPriority)))
  return { checked: checks.length, failed: checks.filter((_check, at) => !passed[at]).map(([name]) => name) }
}

async function passes(command: string, args: string[], lowPriority: boolean): Promise<boolean> {
  // `nice` lowers the priority of every thread; setting it from here would change only the first one.
  const isNiced = lowPriority && process.platform !== 'win32'
  const child = spawn(isNiced ? 'nice' : command, isNiced ? ['-n', '19', command, ...args] : args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = once(child, 'close').catch(() => [null]) as Promise<[number | null]>
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), closed])
  process.stdout.write(output)
  process.stderr.write(errors)
  return code === 0
}

if (import.meta.main) {
  const { failed } = await verify()
  if (failed.length > 0) {
    console.error(`verify failed: ${failed.join(', ')}`)
    process.exit(1)
  }
}
