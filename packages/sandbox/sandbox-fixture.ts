import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { startSandbox, type Sandbox, type SandboxOptions } from './main.ts'

/** A sandbox of a test's own, in a folder of its own, with its control door at hand. */
export type Started = Sandbox & {
  folder: string
  /** Calls the control door; throws its message when it refuses. */
  control(method: string, path: string, body?: unknown): Promise<unknown>
  fault(fault: Record<string, unknown>): Promise<void>
  /** Stops it and starts it again over the same folder, at the same address. */
  again(): Promise<Started>
  /** Stops it and removes its folder. */
  clear(): Promise<void>
}

export async function startSandboxFixture(options: Partial<SandboxOptions> = {}): Promise<Started> {
  const folder = options.dataDir ?? fs.mkdtempSync(path.join(os.tmpdir(), 'sandbox-test-'))
  const sandbox = await startSandbox({ port: 0, dataDir: folder, processingMs: 10, ...options })
  const control = async (method: string, at: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(`${sandbox.url}/_control${at}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const told: unknown = await answer.json()
    if (!answer.ok) throw new Error(`${answer.status} ${JSON.stringify(told)}`)
    return told
  }
  return {
    ...sandbox,
    folder,
    control,
    async fault(fault) {
      await control('POST', '/faults', fault)
    },
    async again() {
      await sandbox.stop()
      // the callers' kept connections have to notice that they are gone
      await new Promise((resolve) => setTimeout(resolve, 30))
      return startSandboxFixture({ ...options, port: sandbox.port, smtpPort: sandbox.smtpPort, dataDir: folder })
    },
    async clear() {
      await sandbox.stop()
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}
