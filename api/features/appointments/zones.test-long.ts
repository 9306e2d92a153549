import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const files = [
  'api/features/appointments/appointments.test.ts',
  'api/features/appointments/client.test.ts',
  'api/features/appointments/rules',
  'api/pages/booking/book.test.ts',
]

/** Runs all booking tests in other server zones; `rules/clock.test.ts` has a sample. */
test.each(['UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Apia', 'Australia/Lord_Howe'])(
  'bookings do not depend on the server’s zone: %s',
  async (TZ) => {
    const { TEST_LONG: _long, ...env } = process.env
    const child = spawn(`${root}node_modules/.bin/vitest`, ['run', '--project', 'server', ...files], {
      cwd: root,
      env: { ...env, TZ },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    const [code] = (await once(child, 'exit')) as [number | null]
    expect(code, output).toBe(0)
  },
  300_000,
)
