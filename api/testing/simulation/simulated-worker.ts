import { connect, type DbClient } from '@flashsheet/db/client'
import { interceptStatements } from '../failing-database.ts'

/** What happens to a worker at one of its statements. */
export type StatementFault = 'none' | 'die before' | 'die after' | 'sleep after'

/**
 * A worker with its own connections. When it dies, its connections are closed and its running statements never return, as
 * in a killed process.
 */
export class SimulatedWorker {
  readonly client: DbClient
  readonly died: Promise<void>
  isDead = false
  /** By how much its monotonic clock is behind, because it paused while the machine slept. */
  sleptMs = 0
  #resolveDied: () => void = () => {}
  #runningStatements = 0

  /** Both are set by the lane. */
  nextFault: () => StatementFault = () => 'none'
  sleep: () => Promise<void> = async () => await Promise.resolve()

  constructor(url: string, writeTime: () => Promise<void>) {
    this.client = connect(url, 2)
    this.died = new Promise((resolve) => {
      this.#resolveDied = resolve
    })
    const around = async <T>(run: () => PromiseLike<T>): Promise<T> => {
      if (this.isDead) return await new Promise<never>(() => {})
      const fate = this.nextFault()
      if (fate === 'die before') return await this.die()
      this.#runningStatements += 1
      let result: T
      try {
        await writeTime()
        result = await run()
      } finally {
        this.#runningStatements -= 1
      }
      if (fate === 'die after') return await this.die()
      if (fate === 'sleep after') await this.sleep()
      return this.isDead ? await new Promise<never>(() => {}) : result
    }
    // A transaction is intercepted as a whole, so its `begin` statement is exempt.
    interceptStatements(
      this.client,
      async (_statement, run) => await around(run),
      (query) => query.startsWith('begin'),
    )
  }

  /** Ends the worker. Never resolves. */
  async die(): Promise<never> {
    this.isDead = true
    this.#resolveDied()
    void this.client.sql.end({ timeout: 0 }).catch(() => {})
    return await new Promise<never>(() => {})
  }

  /** Resolves once no statement of this worker is running. */
  untilIdle = async (): Promise<void> => {
    do await new Promise((resolve) => setImmediate(resolve))
    while (this.#runningStatements > 0)
  }
}
