import * as fs from 'node:fs'
import * as path from 'node:path'
import { describe, expect, test } from 'vitest'
import { phone } from './browser.ts'
import { createScreenFixture } from './screen-fixture.ts'
import { phoneScreens, screens } from './screen-table.ts'
import { appearances, largeFont, largeFontDesktop, moving, movingDesktop, narrow, visitor } from './visit-screen.ts'

/** The folder for screenshots, if any. */
const screenshotsDir = process.env['SCREENS_DIR']

const visit = visitor(createScreenFixture)

describe.each([...appearances, narrow, moving, largeFont, largeFontDesktop])('$name', (appearance) => {
  test.each([...screens, ...(appearance.size.width <= phone.width ? phoneScreens : [])])('$name', async (screen) => {
    const problems = await visit(screen, appearance, async (page) => {
      if (screenshotsDir === undefined) return
      fs.mkdirSync(screenshotsDir, { recursive: true })
      await page.screenshot({
        path: path.join(screenshotsDir, `${screen.name} - ${appearance.name}.png`),
        fullPage: screen.dialog === undefined,
      })
    })
    expect(problems).toEqual([])
  })
})

/** Most animations are on the landing page. */
const [landing] = screens

test('moving desktop, the landing page with its animations has no faults', async () => {
  expect(landing && (await visit(landing, movingDesktop))).toEqual([])
})
