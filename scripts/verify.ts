import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = (name: string) => `${root}node_modules/.bin/${name}`

/** Types, lint and structure; no database. Answers how many checks there are and the names of those that failed. */
export function verify(): { checked: number; failed: string[] } {
  const checks: [string, string, string[]][] = [
    ['types', bin('tsc'), ['-b']],
    ['types of the browser', bin('tsc'), ['-p', 'web']],
    ['lint', bin('oxlint'), ['--type-aware', '--deny-warnings', '.']],
    ['structure', process.execPath, ['scripts/structure.ts']],
  ]
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
