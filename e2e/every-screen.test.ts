import * as fs from 'node:fs'
import { expect, test } from 'vitest'
import { createSampleFixture } from './screen-fixture.ts'
import { screens } from './screen-table.ts'
import { appearances, largeFont, moving, visitor } from './visit-screen.ts'

const visit = visitor(createSampleFixture)

/** The first state of each route. The long run tests all states and dialogs, each in all appearances. */
const routes = screens.filter(
  ({ path }, at) => typeof path !== 'string' || screens.findIndex((one) => one.path === path) === at,
)
/** Most animations are on the landing page. */
const [landing] = screens
const sample = routes
  // The landing page is tested with its animations below.
  .filter((screen, at) => at % 16 === 0 && screen !== landing)
  .map((screen, at) => ({
    screen,
    appearance: appearances[at % appearances.length] ?? appearances[0],
    name: screen.name,
  }))

/** The paths of all route files without parameters. */
const routePaths = fs
  .globSync('web/routes/**/*.tsx')
  .filter((file) => !file.includes('$'))
  .map((file) => {
    const parts = file
      .replace(/^web\/routes|\.tsx$/g, '')
      .replaceAll(/_?\./g, '/')
      .split('/')
    return `/${parts.filter((part) => part !== '' && part !== 'index' && !part.startsWith('_')).join('/')}`
  })

test('every route is in the table of screens', () => {
  const listed = new Set(screens.map(({ path }) => (typeof path === 'string' ? path.replace(/[?#].*/, '') : '')))
  expect(routePaths).toContain('/media')
  expect(routePaths.filter((path) => !listed.has(path))).toEqual([])
})

test.concurrent('moving phone, the landing page with its animations has no faults', async () => {
  expect(landing && (await visit(landing, moving))).toEqual([])
})

test.concurrent.each(sample)('$name, $appearance.name: has no faults', async ({ screen, appearance }) => {
  expect(await visit(screen, appearance)).toEqual([])
})

test('website builder, large font: has no faults', async () => {
  const screen = screens.find((one) => one.name === 'website builder')
  expect(screen && (await visit(screen, largeFont))).toEqual([])
})
