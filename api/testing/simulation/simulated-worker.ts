import { connect, type DbClient } from '@flashsheet/db/client'
import { interceptStatements } from '../failing-database.ts'

/** What happens to a worker at one of its statements. */
export type StatementFault = 'none' | 'die before' | 'die after' | 'sleep after'

/**
 * A worker with connections of its own. When it dies, its connections are cut and the statement under way never returns, as in a
 * killed process.
 */
export class SimulatedWorker {
  readonly client: DbClient
  readonly ended: Promise<'died'>
  isDead = false
  /** By how much its monotonic clock is behind, because it stopped while the machine slept. */
  sleptMs = 0
  #end: (how: 'died') => void = () => {}
  #underWay = 0

  /** Both are set by the lane. */
  nextFault: () => StatementFault = () => 'none'
  sleep: () => Promise<void> = async () => await Promise.resolve()

  constructor(url: string, writeTime: () => Promise<void>) {
    this.client = connect(url, 2)
    this.ended = new Promise((resolve) => {
      this.#end = resolve
    })
    const around = async <T>(ask: () => PromiseLike<T>): Promise<T> => {
      if (this.isDead) return await new Promise<never>(() => {})
      const fate = this.nextFault()
      if (fate === 'die before') return await this.die()
      this.#underWay += 1
      let answer: T
      try {
        await writeTime()
        answer = await ask()
      } finally {
        this.#underWay -= 1
      }
      if (fate === 'die after') return await this.die()
      if (fate === 'sleep after') await this.sleep()
      return this.isDead ? await new Promise<never>(() => {}) : answer
    }
    // A transaction is one step here, so its `begin` is not intercepted.
    interceptStatements(
      this.client,
      async (_statement, ask) => await around(ask),
      (query) => query.startsWith('begin'),
    )
  }

  /** Never resolves. */
  async die(): Promise<never> {
    this.isDead = true
    this.#end('died')
    void this.client.sql.end({ timeout: 0 }).catch(() => {})
    return await new Promise<never>(() => {})
  }

  /** Resolves once no statement of this worker is under way. */
  quiet = async (): Promise<void> => {
    do await new Promise((resolve) => setImmediate(resolve))
    while (this.#underWay > 0)
  }
}
