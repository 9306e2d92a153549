import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch } from './browser.ts'
import { setStage, type Stage } from './screen-stage.ts'
import { screens } from './screen-table.ts'
import { looks, visit } from './visit-screen.ts'

let stage: Stage
let browser: Browser
beforeAll(async () => {
  stage = await setStage()
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  await stage?.app.stop()
})

/** The typical state of each route, each in one of the four looks in turn; the long run has all states and dialogs in all looks. */
const routes = screens.filter(({ path }, at) => typeof path !== 'string' || screens.findIndex((one) => one.path === path) === at)
const sample = routes.filter((_screen, at) => at % 6 === 0).map((screen, at) => ({ screen, look: looks[at % looks.length] ?? looks[0], name: screen.name }))

test.concurrent.each(sample)('$name, $look.name', async ({ screen, look }) => {
  expect(await visit(browser, stage, screen, look)).toEqual([])
})
