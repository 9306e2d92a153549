import * as fs from 'node:fs'
import * as path from 'node:path'
import { expect, test } from 'vitest'

const ui = path.join(import.meta.dirname, '../../ui')
const importsOf = (file: string) =>
  [...fs.readFileSync(file, 'utf8').matchAll(/from '[^']*\/([\w-]+)\.tsx'/g)].map((match) => match[1] ?? '')

test('the workbench shows every component of web/ui, directly or as a part of another one', () => {
  const components = fs
    .readdirSync(ui)
    .filter((file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx'))
    .map((file) => file.replace('.tsx', ''))
  const shown = new Set(
    fs
      .readdirSync(import.meta.dirname)
      .filter((file) => file.endsWith('.tsx'))
      .flatMap((file) => importsOf(path.join(import.meta.dirname, file))),
  )
  // A component that only other components use is shown as a part of them; one that a screen uses needs its own example.
  const parts = new Set(
    components.filter((name) => shown.has(name)).flatMap((name) => importsOf(path.join(ui, `${name}.tsx`))),
  )
  const onScreens = new Set(screens(path.join(import.meta.dirname, '..')).flatMap(importsOf))
  expect(components.length).toBeGreaterThan(25)
  expect(components.filter((name) => !shown.has(name) && (onScreens.has(name) || !parts.has(name)))).toEqual([])
})

/** The files of every feature but this one. */
function screens(folder: string): string[] {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name)
    if (entry.isDirectory()) return file === import.meta.dirname ? [] : screens(file)
    return file.endsWith('.tsx') && !file.endsWith('.test.tsx') ? [file] : []
  })
}
