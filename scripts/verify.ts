import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { apiVersions, endingVersions, spoken } from '../api/core/api-versions.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = (name: string) => `${root}node_modules/.bin/${name}`

/**
 * Types, lint, structure and the size of what the browser loads; no database. Warns of versions of outside services that end within
 * 60 days. Answers how many checks there are and the names of those that failed.
 */
export function verify(): { checked: number; failed: string[] } {
  const checks: [string, string, string[]][] = [
    ['types', bin('tsc'), ['-b']],
    ['types of the browser', bin('tsc'), ['-p', 'web']],
    ['lint', bin('oxlint'), ['--type-aware', '--deny-warnings', '.']],
    ['structure', process.execPath, ['scripts/structure.ts']],
    ['size', process.execPath, ['scripts/sizes.ts']],
  ]
  for (const warning of endingVersions(apiVersions(spoken), new Date())) console.warn(`warning: ${warning}`)
  const failed = checks.filter(([, command, args]) => spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status !== 0)
  return { checked: checks.length, failed: failed.map(([name]) => name) }
}

if (import.meta.main) {
  const { failed } = verify()
  if (failed.length > 0) {
    console.error(`verify failed: ${failed.join(', ')}`)
    process.exit(1)
  }
}
