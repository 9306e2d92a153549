// What `npm start` runs. Plain JavaScript, so that an old Node can run it.
import { fileURLToPath } from 'node:url'
import { fetchPackages, findNode } from './packages.mjs'
import { step } from './steps.mjs'
import { supervise } from './supervise.mjs'

step('Starting Flashsheet')
const root = fileURLToPath(new URL('..', import.meta.url))
const node = (await fetchPackages({ all: false })) ? await findNode() : undefined
if (node === undefined) process.exit(1)

const imports = ['--import', './db/drizzle-resolve-hook.ts']
// The product is a direct child of this process, so that signals reach it.
process.exit(
  await supervise(node, [...imports, 'scripts/start.ts'], {
    cwd: root,
    cleanUp: [...imports, 'scripts/stop-database.ts'],
  }),
)
