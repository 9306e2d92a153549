import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { FolderInUseError, lockFolder } from '../db/folder-lock.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const stampFile = path.join(root, 'web/dist/.built-from')
/** Locked while a process builds, since two would empty the same output folder. */
const lockedName = path.join(root, 'node_modules/.building-web')
const sources = [
  'web',
  'packages/contracts',
  'scripts/build-web.ts',
  'scripts/prerender.ts',
  'scripts/critical-css.ts',
  'pnpm-lock.yaml',
  'tsconfig.base.json',
]
/** The output of the prerender build, relative to web/: inside node_modules, so that it finds its packages. */
const prerenderDir = 'node_modules/.prerender'
const ignoredFolders = new Set(['node_modules', 'dist'])

/** A hash of all sources of the bundle. */
function hashSources(): string {
  const hash = createHash('sha256')
  const walk = (file: string) => {
    const stat = fs.statSync(file)
    if (!stat.isDirectory()) {
      hash.update(path.relative(root, file)).update('\0').update(fs.readFileSync(file))
      return
    }
    for (const name of fs.readdirSync(file).sort()) if (!ignoredFolders.has(name)) walk(path.join(file, name))
  }
  for (const source of sources) walk(path.join(root, source))
  return hash.digest('hex')
}

/** Builds the web app if its sources changed since the last build; returns whether it did. Concurrent processes build once. */
export async function buildWebWhenChanged(): Promise<boolean> {
  if (isBuilt()) return false
  const release = await acquireBuildLock()
  try {
    if (isBuilt()) return false
    await build()
    return true
  } finally {
    await release()
  }
}

/** Whether the sources are unchanged since the last build. */
function isBuilt(): boolean {
  return fs.existsSync(stampFile) && fs.readFileSync(stampFile, 'utf8') === hashSources()
}

/** Waits until no other process builds. */
async function acquireBuildLock(): Promise<() => Promise<void>> {
  for (;;) {
    try {
      return await lockFolder(lockedName, { pid: process.pid, address: 'scripts/build-web.ts' })
    } catch (error) {
      if (!(error instanceof FolderInUseError)) throw error
      await sleep(200)
    }
  }
}

async function build(): Promise<void> {
  // With web/ as working directory: the router plugin reads its config there, and packages are resolved from there.
  const vite = path.join(root, 'web/node_modules/.bin/vite')
  await Promise.all([
    run(vite, ['build', '--logLevel', 'warn']),
    run(vite, [
      'build',
      '--logLevel',
      'warn',
      '--ssr',
      'prerender.tsx',
      '--outDir',
      prerenderDir,
      '--emptyOutDir',
      '--manifest',
      'false',
    ]),
  ])
  await run(process.execPath, [path.join(root, 'scripts/prerender.ts'), path.join(root, 'web', prerenderDir)])
  // The router plugin writes routeTree.gen.ts, so the sources are hashed again.
  fs.writeFileSync(stampFile, hashSources())
}

/** Runs a command in web/. It ends with this process: a start that fails must not leave a build behind, beside the next one. */
export async function run(command: string, args: string[]): Promise<void> {
  const child = spawn(command, args, { cwd: path.join(root, 'web'), stdio: 'inherit' })
  const stop = () => child.kill()
  process.once('exit', stop)
  const [code] = (await once(child, 'exit')) as [number | null]
  process.off('exit', stop)
  if (code !== 0) throw new Error('The web app could not be built; the reason is above.')
}

if (import.meta.main) await buildWebWhenChanged()
