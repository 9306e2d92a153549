/** The outcome of one test file. */
export type FileOutcome = {
  file: string
  passed: number
  /** Full names of its failed tests, or the file's own name when it could not be loaded. */
  failures: string[]
  durationMs: number
}

/** On a busy machine only browser tests fail by chance. */
const isBrowserFile = (file: string): boolean => file.startsWith('e2e/')

/**
 * The file to run again: the failed one, if it is the only one and a browser test. The long run reruns nothing, since
 * it is meant to find flaky tests.
 */
export function fileToRerun(
  outcomes: readonly FileOutcome[],
  { long, unhandled }: { long: boolean; unhandled: number },
): string | undefined {
  const failed = outcomes.filter(({ failures }) => failures.length > 0)
  const [only] = failed
  return !long && unhandled === 0 && failed.length === 1 && only && isBrowserFile(only.file) ? only.file : undefined
}

/** Tests that failed the first time and passed at the rerun of their file. */
export function flakyTests(first: readonly FileOutcome[], second: readonly FileOutcome[]): string[] {
  const failedAgain = new Set(second.flatMap(({ failures }) => failures))
  // The rerun of a file that could not be loaded proves nothing about its tests.
  const rerun = new Set(second.filter(({ file }) => !failedAgain.has(file)).map(({ file }) => file))
  return first
    .filter(({ file }) => rerun.has(file))
    .flatMap(({ failures }) => failures.filter((name) => !failedAgain.has(name)))
}

/** The outcomes of the last run of each file. */
export function latestOutcomes(first: readonly FileOutcome[], second: readonly FileOutcome[]): FileOutcome[] {
  const rerun = new Set(second.map(({ file }) => file))
  return [...first.filter(({ file }) => !rerun.has(file)), ...second]
}

/** The three slowest files, with their seconds. */
export function slowestFiles(outcomes: readonly FileOutcome[]): string {
  const slowest = [...outcomes].sort((a, b) => b.durationMs - a.durationMs).slice(0, 3)
  return slowest.map(({ file, durationMs }) => `${file} ${(durationMs / 1000).toFixed(1)} s`).join(', ')
}

/** The last line of a run, with the flaky tests. */
export function lastLine({ passed, failed, flaky }: { passed: number; failed: number; flaky: number }): string {
  return `${passed} passed, ${failed} failed${flaky > 0 ? `, ${flaky} flaky` : ''}`
}
