/** What became of one test file. */
export type FileOutcome = {
  file: string
  passed: number
  /** Full names of its tests that did not pass, and its own where it could not be loaded. */
  failures: string[]
  durationMs: number
}

/** Only what drives a browser may miss its moment on a busy machine. */
const isBrowserFile = (file: string): boolean => file.startsWith('e2e/')

/**
 * The file that may be run once more: the only one with a failure, and only where it drives a browser. The long run is for finding
 * what is flaky, so it reruns nothing.
 */
export function fileToRerun(
  outcomes: readonly FileOutcome[],
  { long, unhandled }: { long: boolean; unhandled: number },
): string | undefined {
  const broken = outcomes.filter(({ failures }) => failures.length > 0)
  const [only] = broken
  return !long && unhandled === 0 && broken.length === 1 && only && isBrowserFile(only.file) ? only.file : undefined
}

/** Tests that failed the first time and passed when their file was run again. */
export function flakyTests(first: readonly FileOutcome[], again: readonly FileOutcome[]): string[] {
  const still = new Set(again.flatMap(({ failures }) => failures))
  // A file that could not be loaded again says nothing of its tests.
  const rerun = new Set(again.filter(({ file }) => !still.has(file)).map(({ file }) => file))
  return first
    .filter(({ file }) => rerun.has(file))
    .flatMap(({ failures }) => failures.filter((name) => !still.has(name)))
}

/** The outcomes of the last run of each file. */
export function latestOutcomes(first: readonly FileOutcome[], again: readonly FileOutcome[]): FileOutcome[] {
  const rerun = new Set(again.map(({ file }) => file))
  return [...first.filter(({ file }) => !rerun.has(file)), ...again]
}

/** The files that took longest, with their seconds. */
export function slowestFiles(outcomes: readonly FileOutcome[], count = 3): string {
  const slowest = [...outcomes].sort((a, b) => b.durationMs - a.durationMs).slice(0, count)
  return slowest.map(({ file, durationMs }) => `${file} ${(durationMs / 1000).toFixed(1)} s`).join(', ')
}

/** The last line of a run; flaky tests are named in it, though they passed in the end. */
export function lastLine({ passed, failed, flaky }: { passed: number; failed: number; flaky: number }): string {
  return `${passed} passed, ${failed} failed${flaky > 0 ? `, ${flaky} flaky` : ''}`
}
