import { chromium as playwright } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { chromium } from '../scripts/chromium.ts'

/** Once for all journeys: the browser, which every file joins (`launch` of `browser.ts`). */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { executablePath, args, env } = await chromium()
  const server = await playwright.launchServer({ executablePath, args, env, host: '127.0.0.1' })
  project.provide('browserUrl', server.wsEndpoint())
  return async () => await server.close()
}
