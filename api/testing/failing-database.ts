import { connect, type DbClient } from '@flashsheet/db/client'

/** `before`: the statement never reached the server; `after`: it took effect and its result was lost. */
export type Failure = 'before' | 'after'

/** The driver's error for a statement on a lost connection. */
export const lostConnection = () => Object.assign(new Error('the connection was lost'), { code: 'CONNECTION_CLOSED' })

/** A client whose statements, and whole transactions (`begin`), fail as `failureOf` decides for each. */
export function connectFailing(url: string, failureOf: (statement: string) => Failure | undefined): DbClient {
  const client = connect(url, 2)
  interceptStatements(client, async (statement, run) => {
    const failure = failureOf(statement)
    if (failure === 'before') throw lostConnection()
    const result = await run()
    if (failure === 'after') throw lostConnection()
    return result
  })
  return client
}

/** Passes each statement, and each whole transaction (`begin`), to `around`, except those that `isExempt` selects. */
export function interceptStatements(
  { sql }: Pick<DbClient, 'sql'>,
  around: <T>(statement: string, run: () => PromiseLike<T>) => Promise<T>,
  isExempt: (statement: string) => boolean = () => false,
): void {
  const [unsafe, begin] = [sql.unsafe.bind(sql), sql.begin.bind(sql)]
  const statement = (query: string, values: never, options: never): unknown => {
    const pending = unsafe(query, values, options)
    if (isExempt(query)) return pending
    return new Proxy(pending, {
      get(one, name) {
        if (name === 'values') return async () => await around(query, () => one.values())
        if (name === 'then') return (done: never, failed: never) => around(query, () => one).then(done, failed)
        return Reflect.get(one, name)
      },
    })
  }
  Object.assign(sql, {
    unsafe: statement,
    begin: async (...given: [never, never]) => await around('begin', () => begin(...given)),
  })
}
