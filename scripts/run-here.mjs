import { spawn } from 'node:child_process'

const lookMs = 500

/**
 * Runs a command until it ends and answers its exit code. What stops this process stops the command, in order: SIGTERM and SIGHUP are
 * passed on, Ctrl-C reaches both anyway. npm passes SIGTERM to a shell, which dies of it and tells nobody; that this process then has
 * another parent is the only sign of it, and counts as SIGTERM.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, shell?: boolean }} options
 * @returns {Promise<number>}
 */
export async function runHere(command, args, options) {
  const child = spawn(command, args, { stdio: 'inherit', ...options })
  const stop = () => child.kill('SIGTERM')
  const wait = () => {}
  process.on('SIGINT', wait)
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, stop)
  const parent = process.ppid
  const look = setInterval(() => {
    if (process.env['npm_lifecycle_event'] !== undefined && process.ppid !== parent) {
      clearInterval(look)
      stop()
    }
  }, lookMs)
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code) => resolve(code ?? 1))
    })
  } finally {
    clearInterval(look)
    process.off('SIGINT', wait)
    for (const signal of ['SIGTERM', 'SIGHUP']) process.off(signal, stop)
  }
}
