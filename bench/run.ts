// Runs one benchmark by its name: pnpm bench <name>
import * as fs from 'node:fs'
import { buildWebWhenChanged } from '../scripts/build-web.ts'

const known = fs
  .readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts' && !file.startsWith('with-'))
  .map((file) => file.slice(0, -3))
const name = process.argv[2] ?? ''
if (!known.includes(name)) {
  console.error(`Which one? pnpm bench ${known.join(' | ')}`)
  process.exit(1)
}
await buildWebWhenChanged()
const { run } = (await import(`./${name}.ts`)) as { run: () => Promise<void> }
await run()
process.exit(0)
