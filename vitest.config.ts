import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { chromium } from './scripts/chromium.ts'

const long = process.env['TEST_LONG'] === '1'
const tests = (dir: string) => (long ? [`${dir}/**/*.test.ts`, `${dir}/**/*.test-long.ts`] : [`${dir}/**/*.test.ts`])

/** A condition that comes true ends a poll at once; on a busy machine that may take longer than Vitest's second. */
const poll = { timeout: 10_000, interval: 100 }

const { executablePath, args, env } = await chromium()

/** The server's code runs as in production, by Node itself: Vite's transforms of it would cost every worker seconds. */
const byNode = { viteModuleRunner: false }

export default defineConfig({
  test: {
    globalSetup: './scripts/test-setup.ts',
    // More than twice the cores of a small machine: many tests wait for a network, a process or a page, and use no processor meanwhile.
    maxWorkers: 5,
    // Loading the product takes longer than most files need for their tests, so a worker keeps it from file to file. Tests
    // may: they keep their state in databases and folders of their own, and put back what they change of the process.
    isolate: false,
    // The workers keep two cores busy: threads that collect garbage beside them would only take turns with them.
    execArgv: ['--single-threaded-gc', '--import', new URL('db/drizzle-resolve-hook.ts', import.meta.url).href],
    experimental: byNode,
    projects: [
      {
        extends: true,
        test: {
          name: 'web',
          sequence: { groupOrder: 1 },
          experimental: { viteModuleRunner: true },
          include: tests('web'),
          exclude: ['**/node_modules/**'],
          testTimeout: 20_000,
        },
      },
      {
        // Components rendered in the browser of the journeys, without a server behind them.
        // Every package of the app is bundled at the start: one that a test is the first to need would reload the page under the others.
        optimizeDeps: { entries: ['main.tsx', '**/*.test.tsx'], include: ['axe-core'] },
        test: {
          name: 'rendered',
          root: 'web',
          // First and alone: each page of the browser loads all modules, so more pages than this cost more than they save.
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
          include: ['**/*.test.tsx'],
          exclude: ['**/node_modules/**'],
          setupFiles: ['./test-setup.ts'],
          // A page loads hundreds of modules before its first test: it is shared, and cleaned by the set-up after each test.
          isolate: false,
          testTimeout: 20_000,
          expect: { poll },
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            viewport: { width: 390, height: 844 },
            provider: playwright({
              launchOptions: { executablePath, args, env },
              contextOptions: { reducedMotion: 'reduce' },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
      {
        // The server's tests and the journeys: one project, so that a worker loads the product once for both.
        extends: true,
        test: {
          name: 'server',
          sequence: { groupOrder: 1 },
          experimental: byNode,
          include: ['api', 'db', 'e2e', 'packages', 'scripts'].flatMap(tests),
          exclude: ['**/node_modules/**'],
          // As long as a journey may take on a busy machine.
          testTimeout: long ? 600_000 : 120_000,
          hookTimeout: long ? 600_000 : 120_000,
          expect: { poll },
        },
      },
    ],
  },
})
