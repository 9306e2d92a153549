import { startVitest, type TestModule } from 'vitest/node'
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

function failuresOf(module: TestModule): string[] {
  return [...module.children.allTests()].filter((test) => test.result().state !== 'passed').map((test) => `${module.relativeModuleId} > ${test.fullName}`)
}

buildWebWhenChanged()
const { checked, failed: failedChecks } = verify()
let passed = checked - failedChecks.length
let failed = failedChecks.length
for (const name of failedChecks) console.error(`verify: ${name} failed`)

const vitest = await startVitest('test', filters, { run: true, watch: false, reporters: ['default'] })
const faults = () => vitest.state.getTestModules().filter((module) => module.errors().length > 0 || failuresOf(module).length > 0)
const broken = faults()
// Browsers and processes on a busy machine now and then miss their moment. A few files get a second look by themselves, and
// whatever needed it is named: it is a fault to be mended, of the test or of the product.
if (broken.length > 0 && broken.length <= atMostAgain && vitest.state.getUnhandledErrors().length === 0) {
  const first = broken.flatMap((module) => [...failuresOf(module), ...(module.errors().length > 0 ? [module.relativeModuleId] : [])])
  await vitest.runTestSpecifications(broken.map((module) => module.toTestSpecification()))
  const still = new Set(faults().flatMap(failuresOf))
  const unsteady = first.filter((name) => !still.has(name))
  if (unsteady.length > 0) console.warn(`Passed only at the second try:\n${unsteady.map((name) => `  ${name}`).join('\n')}`)
}
for (const module of vitest.state.getTestModules()) {
  if (module.errors().length > 0) failed += 1
  for (const test of module.children.allTests()) {
    if (test.result().state === 'passed') passed += 1
    else failed += 1
  }
}
failed += vitest.state.getUnhandledErrors().length
await vitest.close()
// No test at all is a failure of its own.
if (vitest.state.getTestModules().length === 0) failed += 1

console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
