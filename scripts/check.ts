import { fileURLToPath } from 'node:url'
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
/** With more files than this at fault it is no accident. */
const atMostAgain = 3

// Test workers, and the processes they start, load the packages quicker the second time.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('../.cache/node', import.meta.url))
await buildWebWhenChanged()
const verified = verify({ aside: true })

type Counted = { passed: number; failed: number; names: string[]; file: string }

/** Runs the tests of these files, all without any, and answers what became of each file. */
async function run(files: string[]): Promise<{ modules: Counted[]; unhandled: number }> {
  const vitest = await startVitest('test', files, { run: true, watch: false, reporters: ['default'] })
  const modules = vitest.state.getTestModules().map((module) => {
    const tests = [...module.children.allTests()]
    const names = tests.filter((test) => test.result().state !== 'passed').map((test) => `${module.relativeModuleId} > ${test.fullName}`)
    if (module.errors().length > 0) names.push(module.relativeModuleId)
    return { file: module.relativeModuleId, names, failed: names.length, passed: tests.filter((test) => test.result().state === 'passed').length }
  })
  const unhandled = vitest.state.getUnhandledErrors().length
  await vitest.close()
  return { modules, unhandled }
}

let { modules, unhandled } = await run(filters)
const broken = modules.filter((module) => module.failed > 0)
// Browsers and processes on a busy machine now and then miss their moment. A few files get a second look by themselves, and
// whatever needed it is named: it is a fault to be mended, of the test or of the product.
if (broken.length > 0 && broken.length <= atMostAgain && unhandled === 0) {
  const again = await run(broken.map(({ file }) => file))
  const still = new Set(again.modules.flatMap(({ names }) => names))
  const unsteady = broken.flatMap(({ names }) => names).filter((name) => !still.has(name))
  if (unsteady.length > 0) console.warn(`Passed only at the second try:\n${unsteady.map((name) => `  ${name}`).join('\n')}`)
  const seenAgain = new Set(again.modules.map(({ file }) => file))
  modules = [...modules.filter(({ file }) => !seenAgain.has(file)), ...again.modules]
  unhandled = again.unhandled
}
const { checked, failed: failedChecks } = await verified
for (const name of failedChecks) console.error(`verify: ${name} failed`)
const passed = checked - failedChecks.length + modules.reduce((sum, module) => sum + module.passed, 0)
let failed = failedChecks.length + modules.reduce((sum, module) => sum + module.failed, 0) + unhandled
// No test at all is a failure of its own.
if (modules.length === 0) failed += 1

console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
