import { execFileSync, spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import * as path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { createBrotliDecompress } from 'node:zlib'

export type Chromium = { executablePath: string; args: string[]; env: NodeJS.ProcessEnv }

const cacheFolder = fileURLToPath(new URL('../.cache', import.meta.url))
const installed = [
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
const args = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--font-render-hinting=none',
  // Prevents requests of the browser itself.
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/**
 * The Chromium for tests: CHROMIUM_PATH, otherwise the one among the packages (linux x64), otherwise an installed one.
 * Throws when there is none.
 */
export async function chromium(): Promise<Chromium> {
  const named = process.env['CHROMIUM_PATH']
  if (named) return { executablePath: named, args, env: process.env }
  if (process.platform === 'linux' && process.arch === 'x64') return await unpacked()
  const found = installed.find((file) => fs.existsSync(file))
  if (found) return { executablePath: found, args, env: process.env }
  throw new Error('There is no browser to test with. Install Chrome or Chromium, or set CHROMIUM_PATH to one.')
}

/** Unpacks the browser of `@sparticuz/chromium` once; safe to run concurrently. */
async function unpacked(): Promise<Chromium> {
  const folder = path.resolve(createRequire(import.meta.url).resolve('@sparticuz/chromium'), '..', '..')
  const { version } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')) as { version: string }
  const home = path.join(cacheFolder, `chromium-${version}`)
  const executablePath = path.join(home, 'chromium')
  if (!fs.existsSync(executablePath)) {
    const unpackDir = `${home}.${process.pid}`
    fs.mkdirSync(unpackDir, { recursive: true })
    const unpack = async (from: string, to: string) =>
      await pipeline(
        fs.createReadStream(path.join(folder, 'bin', from)),
        createBrotliDecompress(),
        fs.createWriteStream(path.join(unpackDir, to), { mode: 0o755 }),
      )
    await Promise.all([
      unpack('chromium.br', 'chromium'),
      unpack('al2023.tar.br', 'libraries.tar'),
      unpack('swiftshader.tar.br', 'graphics.tar'),
    ])
    for (const archive of ['libraries.tar', 'graphics.tar']) {
      execFileSync('tar', ['xf', archive], { cwd: unpackDir })
      fs.rmSync(path.join(unpackDir, archive))
    }
    try {
      fs.renameSync(unpackDir, home)
    } catch {
      // Another process has unpacked it first.
      fs.rmSync(unpackDir, { recursive: true, force: true })
    }
  }
  // A machine without NSS and related libraries uses those of the package.
  const missing = spawnSync('ldd', [executablePath], { encoding: 'utf8' }).stdout.includes('not found')
  const env = { ...process.env }
  if (missing) env['LD_LIBRARY_PATH'] = [path.join(home, 'lib'), env['LD_LIBRARY_PATH']].filter(Boolean).join(':')
  return { executablePath, args, env }
}
