import { fileURLToPath } from 'node:url'
import { startVitest } from 'vitest/node'
import { buildWebWhenChanged } from './build-web.ts'
import { fileToRerun, flakyTests, lastLine, latestOutcomes, slowestFiles, type FileOutcome } from './test-outcome.ts'
import { verify } from './verify.ts'

/**
 * Runs all tests, or those of the named files; `--long` adds the long ones, `--verify` the checks of `pnpm verify`
 * in parallel. The last line is `N passed, N failed`, with `, N flaky` when a browser test passed only at its second
 * run. Each check of verify counts as one.
 */
const long = process.argv.includes('--long')
const withVerify = process.argv.includes('--verify')
const filters = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
if (long) process.env['TEST_LONG'] = '1'

// Compile cache: test workers, and the processes they start, load packages faster the second time.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('../.cache/node', import.meta.url))
await buildWebWhenChanged()
const verification = withVerify ? verify({ lowPriority: true }) : { checked: 0, failed: [] }

/** Runs these test files, or all of them when none is named. */
async function run(files: string[]): Promise<{ outcomes: FileOutcome[]; unhandled: number }> {
  const vitest = await startVitest('test', files, { run: true, watch: false, reporters: ['default'] })
  const outcomes = vitest.state.getTestModules().map((module) => {
    const tests = [...module.children.allTests()]
    const failures = tests
      .filter((test) => test.result().state !== 'passed')
      .map((test) => `${module.relativeModuleId} > ${test.fullName}`)
    if (module.errors().length > 0) failures.push(module.relativeModuleId)
    const { collectDuration, duration } = module.diagnostic()
    return {
      file: module.relativeModuleId,
      failures,
      passed: tests.filter((test) => test.result().state === 'passed').length,
      durationMs: collectDuration + duration,
    }
  })
  const unhandled = vitest.state.getUnhandledErrors().length
  await vitest.close()
  return { outcomes, unhandled }
}

let { outcomes, unhandled } = await run(filters)
const slowest = slowestFiles(outcomes)
let flaky: string[] = []
const rerun = fileToRerun(outcomes, { long, unhandled })
if (rerun !== undefined) {
  const second = await run([rerun])
  flaky = flakyTests(outcomes, second.outcomes)
  outcomes = latestOutcomes(outcomes, second.outcomes)
  unhandled = second.unhandled
}
const { checked, failed: failedChecks } = await verification
for (const name of failedChecks) console.error(`verify: ${name} failed`)
const passed = checked - failedChecks.length + outcomes.reduce((sum, { passed: inFile }) => sum + inFile, 0)
let failed = failedChecks.length + outcomes.reduce((sum, { failures }) => sum + failures.length, 0) + unhandled
// A run without tests is a failure.
if (outcomes.length === 0) failed += 1

console.log(`Slowest files: ${slowest}`)
// A flaky test is a bug, of the test or of the product.
if (flaky.length > 0)
  console.warn(`Flaky, passed only at the second run:\n${flaky.map((name) => `  ${name}`).join('\n')}`)
console.log(lastLine({ passed, failed, flaky: flaky.length }))
process.exit(failed === 0 ? 0 : 1)
