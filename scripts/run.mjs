// What `npm start` runs. Plain JavaScript, so that an old Node can run it.
import { existsSync } from 'node:fs'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import { runHere } from './run-here.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const isWindows = process.platform === 'win32'

// The packages first, among them Node 24; pnpm installs what is missing before it runs anything.
const ready = await runHere(isWindows ? 'npx.cmd' : 'npx', ['-y', 'pnpm@12', 'run', 'ready'], { cwd: root, shell: isWindows })
if (ready !== 0) process.exit(ready)

// Then the product as a child of this process and of nobody between, so that a signal reaches it.
const own = path.join(root, 'node_modules/node/bin', isWindows ? 'node.exe' : 'node')
const node = existsSync(own) ? own : process.execPath
process.exit(await runHere(node, ['--import', './db/quick-imports.ts', 'scripts/start.ts'], { cwd: root }))
