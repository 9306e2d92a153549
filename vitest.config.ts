import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { chromium } from './scripts/chromium.ts'

const long = process.env['TEST_LONG'] === '1'
const tests = (dir: string) => (long ? [`${dir}/**/*.test.ts`, `${dir}/**/*.test-long.ts`] : [`${dir}/**/*.test.ts`])

/** Longer than Vitest's default of a second, for busy machines. A poll ends as soon as its condition is true. */
const poll = { timeout: 10_000, interval: 100 }

const { executablePath, args, env } = await chromium()

/** Node itself loads the server's code, as in production. Vite's transforms would take seconds in each worker. */
const byNode = { viteModuleRunner: false }

/** React's production build, which users get. In the development build, a page of these tests takes almost twice the processor time. */
const production = { 'process.env.NODE_ENV': '"production"' }

export default defineConfig({
  test: {
    globalSetup: './scripts/test-setup.ts',
    // More than twice the cores of a small machine, since many tests wait for a network, a process or a page.
    maxWorkers: 5,
    // The files of a worker share its loaded modules, because loading the product takes longer than most files' tests. Each file has
    // its own database and folder, and restores what it changes in the process.
    isolate: false,
    // The workers use all cores, so parallel garbage collection would gain nothing.
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
        // Components rendered in a real browser, without a server.
        // All packages are bundled at the start: bundling one later would reload the page while tests run in it.
        optimizeDeps: {
          entries: ['main.tsx', '**/*.test.tsx'],
          include: ['axe-core', 'react/jsx-runtime'],
          rolldownOptions: { transform: { define: production } },
        },
        define: production,
        oxc: { jsx: { development: false } },
        test: {
          name: 'rendered',
          root: 'web',
          // Each worker's page loads all modules, and waits for much of the time. Four took 68 s on two cores, three 74.
          maxWorkers: 4,
          sequence: { groupOrder: 0 },
          include: ['**/*.test.tsx'],
          exclude: ['**/node_modules/**'],
          setupFiles: ['./test-act.ts', './test-setup.ts'],
          // Files share a page, because it loads hundreds of modules. `test-setup.ts` cleans it after each test.
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
        // One project for server tests and journeys, so that a worker loads the product once.
        extends: true,
        test: {
          name: 'server',
          sequence: { groupOrder: 1 },
          experimental: byNode,
          include: ['api', 'db', 'e2e', 'packages', 'scripts'].flatMap(tests),
          exclude: ['**/node_modules/**'],
          // The time of a journey on a busy machine.
          testTimeout: long ? 600_000 : 120_000,
          hookTimeout: long ? 600_000 : 120_000,
          expect: { poll },
        },
      },
    ],
  },
})
