import { sessionOf } from './with-product.ts'
import { measureInTurn, formatRate, formatRatio, readPaths, withReads } from './with-reads.ts'

/**
 * The same reads with an API key and with a session, in turn. Prints the rates, the processor time of a request, and their
 * ratio. Unlike a session, a key also counts its requests.
 */
export async function run(): Promise<void> {
  await withReads(async ({ artist, toApp }) => {
    const { body } = await artist.post<{ key: string }>('/api/keys', {
      name: 'bench',
      scopes: ['posts:read', 'media:read'],
    })
    for (const read of readPaths) {
      const measured = await measureInTurn({
        session: toApp(read, sessionOf(artist)),
        key: toApp(read, { authorization: `Bearer ${body.key}` }),
      })
      console.log(
        `GET ${read}: session ${formatRate(measured.session)}, key ${formatRate(measured.key)}; ` +
          `key by session ${formatRatio(measured.key, measured.session, '0.90')}`,
      )
    }
  })
}
