import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const webPort = '5173'

/** The server restarts when its sources change. Vite hot-reloads the browser's code, and passes other requests on. */
const children: ChildProcess[] = [
  spawn(
    process.execPath,
    [
      '--import',
      './db/drizzle-resolve-hook.ts',
      '--watch-path=api',
      '--watch-path=db',
      '--watch-path=packages',
      '--watch-preserve-output',
      'api/main.ts',
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, PUBLIC_URL: process.env['PUBLIC_URL'] ?? `http://localhost:${webPort}` },
    },
  ),
  // With web/ as working directory: the router plugin reads its config there.
  spawn(`${root}node_modules/.bin/vite`, ['--port', webPort, '--strictPort'], {
    cwd: `${root}web`,
    stdio: 'inherit',
    env: { ...process.env, API_URL: `http://localhost:${process.env['PORT'] ?? '3000'}` },
  }),
]

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    for (const child of children) child.kill(signal)
  })
}
for (const child of children) {
  child.once('exit', (code) => {
    for (const other of children) other.kill('SIGTERM')
    process.exitCode = code ?? 0
  })
}
