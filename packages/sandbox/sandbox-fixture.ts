import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { startSandbox, type Sandbox, type SandboxOptions } from './main.ts'

/** A sandbox in a temporary folder, with a client for its control API. */
export type SandboxFixture = Sandbox & {
  folder: string
  /** Calls the control API; throws its message when it refuses. */
  control(method: string, path: string, body?: unknown): Promise<unknown>
  fault(fault: Record<string, unknown>): Promise<void>
  /** Restarts it on the same folder, at the same address. */
  restart(): Promise<SandboxFixture>
  /** Stops it and removes its folder. */
  remove(): Promise<void>
}

const plans = [
  { id: 'social-line-work', name: 'Social Line Work', price: 1900 },
  { id: 'complete-shading', name: 'Complete Shading', price: 4900 },
]

export async function startSandboxFixture(options: Partial<SandboxOptions> = {}): Promise<SandboxFixture> {
  const folder = options.dataDir ?? fs.mkdtempSync(path.join(os.tmpdir(), 'sandbox-test-'))
  const sandbox = await startSandbox({ port: 0, dataDir: folder, processingMs: 10, plans, ...options })
  const control = async (method: string, at: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(`${sandbox.url}/_control${at}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const result: unknown = await answer.json()
    if (!answer.ok) throw new Error(`${answer.status} ${JSON.stringify(result)}`)
    return result
  }
  return {
    ...sandbox,
    folder,
    control,
    async fault(fault) {
      await control('POST', '/faults', fault)
    },
    async restart() {
      await sandbox.stop()
      // Clients must first notice that their keep-alive connections are closed.
      await new Promise((resolve) => setTimeout(resolve, 30))
      return startSandboxFixture({ ...options, port: sandbox.port, smtpPort: sandbox.smtpPort, dataDir: folder })
    },
    async remove() {
      await sandbox.stop()
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}
