import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The files of the repository that match these patterns of git, new ones included, by path from its root. */
export function listFiles(...patterns: string[]): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 25,
  })
  return listed.split('\n').filter((file) => file !== '' && fs.existsSync(path.join(root, file)))
}

/** The text of a file, by its path from the root of the repository. */
export function readFile(file: string): string {
  return fs.readFileSync(path.join(root, file), 'utf8')
}
