import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const stampFile = path.join(root, 'web/dist/.built-from')
const longestBuildMs = 10 * 60_000
const lockFile = path.join(root, 'node_modules/.building-web')
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

/**
 * Builds the web app when its sources changed since the last build; returns whether it did. Concurrent processes build
 * once.
 */
export async function buildWebWhenChanged(): Promise<boolean> {
  if (isBuilt()) return false
  const release = await acquireBuildLock()
  try {
    if (isBuilt()) return false
    await build()
    return true
  } finally {
    release()
  }
}

/** Whether the sources are unchanged since the last build. */
function isBuilt(): boolean {
  return fs.existsSync(stampFile) && fs.readFileSync(stampFile, 'utf8') === hashSources()
}

/** Waits until no other process builds, since both would empty the same output folder. */
async function acquireBuildLock(): Promise<() => void> {
  for (;;) {
    try {
      fs.writeFileSync(lockFile, String(process.pid), { flag: 'wx' })
      return () => fs.rmSync(lockFile, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      if (isLockStale()) fs.rmSync(lockFile, { force: true })
      else await sleep(200)
    }
  }
}

/** Whether the building process is dead, or so old that its id may have been reused. */
function isLockStale(): boolean {
  try {
    if (Date.now() - fs.statSync(lockFile).mtimeMs > longestBuildMs) return true
    process.kill(Number(fs.readFileSync(lockFile, 'utf8')), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
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

async function run(command: string, args: string[]): Promise<void> {
  const child = spawn(command, args, { cwd: path.join(root, 'web'), stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error('The web app could not be built; the reason is above.')
}

if (import.meta.main) await buildWebWhenChanged()
