/** The outcome of one test file. */
export type FileOutcome = {
  file: string
  passed: number
  /** Full names of its failed tests, or its own where it could not be loaded. */
  failures: string[]
  durationMs: number
}

/** Only browser tests may miss a moment on a busy machine. */
const isBrowserFile = (file: string): boolean => file.startsWith('e2e/')

/**
 * The file that may be run again: the only failed one, and only a browser test. The long run is meant to find flaky
 * tests, so it reruns nothing.
 */
export function fileToRerun(
  outcomes: readonly FileOutcome[],
  { long, unhandled }: { long: boolean; unhandled: number },
): string | undefined {
  const broken = outcomes.filter(({ failures }) => failures.length > 0)
  const [only] = broken
  return !long && unhandled === 0 && broken.length === 1 && only && isBrowserFile(only.file) ? only.file : undefined
}

/** Tests that failed the first time and passed at the rerun of their file. */
export function flakyTests(first: readonly FileOutcome[], again: readonly FileOutcome[]): string[] {
  const still = new Set(again.flatMap(({ failures }) => failures))
  // A file that could not be loaded again says nothing about its tests.
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

/** The slowest files, with their seconds. */
export function slowestFiles(outcomes: readonly FileOutcome[], count = 3): string {
  const slowest = [...outcomes].sort((a, b) => b.durationMs - a.durationMs).slice(0, count)
  return slowest.map(({ file, durationMs }) => `${file} ${(durationMs / 1000).toFixed(1)} s`).join(', ')
}

/** The last line of a run, with the flaky tests. */
export function lastLine({ passed, failed, flaky }: { passed: number; failed: number; flaky: number }): string {
  return `${passed} passed, ${failed} failed${flaky > 0 ? `, ${flaky} flaky` : ''}`
}
