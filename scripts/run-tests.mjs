// What `npm test` runs. Plain JavaScript, so that an old Node can run it.
import { spawn } from 'node:child_process'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import { fetchPackages, findNode } from './packages.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const node = (await fetchPackages({ all: true })) ? await findNode() : undefined
if (node === undefined) process.exit(1)

const bin = [path.dirname(node), path.join(root, 'node_modules/.bin'), process.env['PATH']].join(path.delimiter)
const child = spawn(node, ['--import', './db/drizzle-resolve-hook.ts', 'scripts/check.ts', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PATH: bin },
})
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
// Ctrl-C reaches both processes.
process.on('SIGINT', () => {})
child.once('exit', (code) => process.exit(code ?? 1))
