import { connect, type DbClient } from '@flashsheet/db/client'
import { interceptStatements } from '../failing-database.ts'

/** What happens to a worker around one statement of its own. */
export type Turn = 'go on' | 'die before' | 'die after' | 'sleep after'

/**
 * One worker: connections of its own, which end with it. Where it is told to die it stands still for ever at that statement, as a
 * process does that was killed, and its connections are cut.
 */
export class Life {
  readonly client: DbClient
  readonly ended: Promise<'died'>
  isDead = false
  /** How much the process's own time lags behind: it stood still while the machine slept. */
  sleptMs = 0
  #end: (how: 'died') => void = () => {}
  #underWay = 0

  /** What happens at the next statement, and how it sleeps: set by who gives it work. */
  turn: () => Turn = () => 'go on'
  sleep: () => Promise<void> = async () => await Promise.resolve()

  constructor(url: string, writeTime: () => Promise<void>) {
    this.client = connect(url, 2)
    this.ended = new Promise((resolve) => {
      this.#end = resolve
    })
    const around = async <T>(ask: () => PromiseLike<T>): Promise<T> => {
      if (this.isDead) return await new Promise<never>(() => {})
      const fate = this.turn()
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
    // A statement that begins a transaction is of that transaction, which is one step here.
    interceptStatements(
      this.client,
      async (_statement, ask) => await around(ask),
      (query) => query.startsWith('begin'),
    )
  }

  /** Ends here and now: whoever awaits this awaits for ever. */
  async die(): Promise<never> {
    this.isDead = true
    this.#end('died')
    void this.client.sql.end({ timeout: 0 }).catch(() => {})
    return await new Promise<never>(() => {})
  }

  /** Once no statement of this worker is under way. */
  quiet = async (): Promise<void> => {
    do await new Promise((resolve) => setImmediate(resolve))
    while (this.#underWay > 0)
  }
}
