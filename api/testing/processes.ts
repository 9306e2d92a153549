import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { eventually } from './sandbox.ts'

const entry = fileURLToPath(new URL('../main.ts', import.meta.url))
const drizzleResolveHook = new URL('../../db/drizzle-resolve-hook.ts', import.meta.url).href
/** Modules that report the state of the process to the test. */
const preloaded = ['./heap-report.ts', './stop-report.ts'].map((file) => new URL(file, import.meta.url).href)

export type ProductProcess = {
  child: ChildProcess
  /** Its whole output so far. */
  output: () => string
  /** Bytes in use after a garbage collection, on the heap and in external buffers. */
  retainedBytes: () => Promise<number>
  /** Resolves once the process has received SIGTERM. */
  receivedSigterm: () => Promise<void>
  /** Sends a signal and returns the exit code, or null when the signal ended it. */
  end: (signal: NodeJS.Signals) => Promise<number | null>
}

/** What a process of the product inherits from the tests: the path, and Node's cache of compiled modules, which halves its start. */
export function inheritedEnv(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env
  return { PATH, ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }) }
}

/** Starts the product as a process and waits for its ready line. Throws with its output when it ends first. */
export async function startProcess(env: Record<string, string>): Promise<ProductProcess> {
  const child = spawn(
    process.execPath,
    [...[drizzleResolveHook, ...preloaded].flatMap((file) => ['--import', file]), entry],
    {
      env: { ...inheritedEnv(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let written = ''
  const exited = once(child, 'exit') as Promise<[number | null]>
  await new Promise<void>((resolve, reject) => {
    const read = (text: string) => {
      written += text
      if (/is ready/.test(written)) resolve()
    }
    child.stdout?.setEncoding('utf8').on('data', read)
    child.stderr?.setEncoding('utf8').on('data', read)
    void exited.then(([code]) => reject(new Error(`the process ended with ${code} before it was ready:\n${written}`)))
    setTimeout(() => reject(new Error(`the process was not ready in time:\n${written}`)), 90_000).unref()
  })
  return {
    child,
    output: () => written,
    async retainedBytes() {
      const reports = () => [...written.matchAll(/heap after collection: (\d+) and (\d+) outside\n/g)]
      const before = reports().length
      child.kill('SIGUSR2')
      const [, heap, outside] = await eventually(
        'a process to report its memory',
        async () => await Promise.resolve(reports()[before]),
        30_000,
      )
      return Number(heap) + Number(outside)
    },
    async receivedSigterm() {
      await eventually(
        'a process to receive SIGTERM',
        async () => await Promise.resolve(written.includes('asked to stop\n')),
        30_000,
      )
    },
    async end(signal) {
      child.kill(signal)
      const [code] = await exited
      return code
    },
  }
}
