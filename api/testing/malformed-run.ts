import { keyScopes } from '@flashsheet/contracts/keys/limits'
import { startProcess } from './processes.ts'
import { createArtist } from './actors.ts'
import { startTestApp } from './app.ts'
import { createProgram } from './keys.ts'
import { type Credentials, malformedCall, sendCall } from './malformed-calls.ts'
import { freePorts } from './ports.ts'
import { seeded } from './random.ts'

type MalformedRun = {
  answered: number
  /** Calls with a status of 500 or more, or without an answer that their client waited for. */
  failed: string[]
  /** Log lines at level error or above. */
  errors: string[]
  /** The number of access log lines about disconnected clients. */
  disconnected: number
}

const callerCount = 12
/** Random calls may end a session, so sessions are replaced. */
const callsPerSession = 500

/** Sends `count` random calls, seeded with `seed`, to a web process of its own. */
export async function runMalformed(count: number, seed: number): Promise<MalformedRun> {
  const app = await startTestApp()
  const [port = 0] = await freePorts(1)
  const server = await startProcess({ ...app.env, PORT: String(port), ROLE: 'web', LOG_LEVEL: 'info' })
  const random = seeded(seed)
  const failed: string[] = []
  let answered = 0
  let left = count
  let credentials: Credentials = { cookies: [], keys: [] }
  const renewCredentials = async () => {
    const artists = await Promise.all([
      createArtist(app),
      createArtist(app, { admin: true }),
      createArtist(app, { plan: null, verified: false }),
    ])
    const programs = await Promise.all(artists.map(async (artist) => await createProgram(app, artist, keyScopes)))
    credentials = {
      cookies: artists.map((artist) => [...artist.cookies].map(([name, value]) => `${name}=${value}`).join('; ')),
      keys: programs.map(({ key }) => key),
    }
  }
  try {
    const caller = async () => {
      while (left > 0) {
        left -= 1
        if (left % callsPerSession === 0) await renewCredentials()
        const call = malformedCall(random, `localhost:${port}`, credentials)
        const { status, text, timedOut } = await sendCall(port, call)
        if (status !== undefined) answered += 1
        if (timedOut || (status !== undefined && status >= 500))
          failed.push(`${status ?? 'no answer'}: ${call.what}\n${text}`)
      }
    }
    await renewCredentials()
    await Promise.all(Array.from({ length: callerCount }, caller))
  } finally {
    await server.end('SIGTERM')
    await app.stop()
  }
  const lines = server.output().split('\n')
  // Inserted artists have no orders, so the staff figures log that the sums differ.
  const errors = lines.filter(
    (line) => /"level":[56]0/.test(line) && !line.includes('the MRR movements do not add up to the MRR'),
  )
  return { answered, failed, errors, disconnected: lines.filter((line) => line.includes('"status":499')).length }
}
