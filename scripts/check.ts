import { startVitest } from 'vitest/node'
import { buildWebWhenChanged } from './build-web.ts'
import { verify } from './verify.ts'

/**
 * Everything `npm test` promises: types, lint, structure, then all tests; `--long` adds the long ones.
 * Ends with a line `N passed, N failed`; each check of verify counts as one.
 */
const long = process.argv.includes('--long')
const filters = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
if (long) process.env['TEST_LONG'] = '1'

buildWebWhenChanged()
const { checked, failed: failedChecks } = verify()
let passed = checked - failedChecks.length
let failed = failedChecks.length
for (const name of failedChecks) console.error(`verify: ${name} failed`)

const vitest = await startVitest('test', filters, { run: true, watch: false, reporters: ['default'] })
for (const module of vitest.state.getTestModules()) {
  if (module.errors().length > 0) failed += 1
  for (const test of module.children.allTests()) {
    const { state } = test.result()
    if (state === 'passed') passed += 1
    else failed += 1
  }
}
failed += vitest.state.getUnhandledErrors().length
await vitest.close()
// No test at all is a failure of its own.
if (vitest.state.getTestModules().length === 0) failed += 1

console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
