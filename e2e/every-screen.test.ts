import { expect, test } from 'vitest'
import { screens } from './screen-table.ts'
import { looks, moving, movingDesktop, visitor } from './visit-screen.ts'

const visit = visitor()

/** The first state of each route. The long run tests all states and dialogs, each in all looks. */
const routes = screens.filter(
  ({ path }, at) => typeof path !== 'string' || screens.findIndex((one) => one.path === path) === at,
)
const sample = routes
  .filter((_screen, at) => at % 8 === 0)
  .map((screen, at) => ({ screen, look: looks[at % looks.length] ?? looks[0], name: screen.name }))

/** Most animations are on the landing page. */
const [landing] = screens

test.concurrent.each([moving, movingDesktop])('$name, the landing page with its animations', async (look) => {
  expect(landing && (await visit(landing, look))).toEqual([])
})

test.concurrent.each(sample)('$name, $look.name', async ({ screen, look }) => {
  expect(await visit(screen, look)).toEqual([])
})
