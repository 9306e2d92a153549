import * as fs from 'node:fs'
import * as path from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launch, phone } from './browser.ts'
import { setStage, type Stage } from './screen-stage.ts'
import { phoneScreens, screens } from './screen-table.ts'
import { looks, narrow, visit } from './visit-screen.ts'

/** Where pictures of what is looked at go, for a person to look at too. */
const album = process.env['SCREENS_DIR']

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

describe.each([...looks, narrow])('$name', (look) => {
  test.each([...screens, ...(look.size.width <= phone.width ? phoneScreens : [])])('$name', async (screen) => {
    const problems = await visit(browser, stage, screen, look, async (page) => {
      if (album === undefined) return
      fs.mkdirSync(album, { recursive: true })
      await page.screenshot({ path: path.join(album, `${screen.name} - ${look.name}.png`), fullPage: screen.dialog === undefined })
    })
    expect(problems).toEqual([])
  })
})
