// Plain JavaScript, so that an old Node can run it.
import { spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const parentCheckMs = 500
/** The exit code of a process with invalid settings: a restart would not help. */
export const wrongSettingsCode = 78

const isDone = ({ code }, wasReady) => code === 0 || code === wrongSettingsCode || (code === 1 && !wasReady)
const describeEnd = ({ code, signal }) => (code === null ? `by ${signal}` : `with code ${code}`)

/**
 * Runs a command, restarts it when it fails, and returns the exit code to end with. The pauses before restarts double
 * from `firstPauseMs` to `longestPauseMs`, and are reset after a process that ran for `steadyMs`. There is no restart
 * after exit code 0, after invalid settings, or after exit code 1 before any process sent `ready` (by `process.send`): it
 * could not start, and has printed why.
 *
 * SIGTERM, SIGHUP (as SIGTERM) and Ctrl-C are passed on to the command. npm sends SIGTERM to a shell, which dies without passing it
 * on; the only sign is that this process has another parent, which counts as SIGTERM. `cleanUp` are the arguments of a
 * last run of the command, when it is stopped while no process runs.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, cleanUp?: readonly string[], firstPauseMs?: number, longestPauseMs?: number, steadyMs?: number }} options
 * @returns {Promise<number>}
 */
export async function supervise(
  command,
  args,
  { cwd, cleanUp, firstPauseMs = 1000, longestPauseMs = 60_000, steadyMs = 300_000 },
) {
  let child
  let isStopping = false
  let endPause = () => {}
  const stop = (signal) => {
    isStopping = true
    child?.kill(signal)
    endPause()
  }
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])
  const handlers = signals.map((signal) => [signal, () => stop(signal === 'SIGHUP' ? 'SIGTERM' : signal)])
  for (const [signal, handler] of handlers) process.on(signal, handler)
  const parent = process.ppid
  const parentCheck = setInterval(() => {
    if (process.env['npm_lifecycle_event'] !== undefined && process.ppid !== parent) {
      clearInterval(parentCheck)
      stop('SIGTERM')
    }
  }, parentCheckMs)

  const run = async (runArgs, onReady) =>
    await new Promise((resolve, reject) => {
      child = spawn(command, runArgs, { cwd, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
      child.once('error', reject)
      child.on('message', (message) => message === 'ready' && onReady())
      child.once('exit', (code, signal) => resolve({ code, signal }))
    }).finally(() => (child = undefined))
  const pause = async (ms) => {
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      endPause = () => {
        clearTimeout(timer)
        resolve(undefined)
      }
    })
    endPause = () => {}
  }

  try {
    let wasReady = false
    let pauseMs = firstPauseMs
    for (;;) {
      const startedAt = performance.now()
      const end = await run(args, () => (wasReady = true))
      if (isStopping) return end.code ?? 0
      if (isDone(end, wasReady)) return end.code
      if (performance.now() - startedAt > steadyMs) pauseMs = firstPauseMs
      console.error(`Flashsheet ended ${describeEnd(end)}. Restarting in ${pauseMs / 1000} s.`)
      await pause(pauseMs)
      if (isStopping) {
        if (cleanUp) await run(cleanUp, () => {})
        return 0
      }
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    }
  } finally {
    clearInterval(parentCheck)
    for (const [signal, handler] of handlers) process.off(signal, handler)
  }
}

// As a command: `node scripts/supervise.mjs <arguments of node>`, which the image runs.
if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  process.exit(await supervise(process.execPath, process.argv.slice(2), { cwd: process.cwd() }))
}
