import { execFile } from 'node:child_process'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const hook = fileURLToPath(new URL('./drizzle-resolve-hook.ts', import.meta.url))

test('a cached import of a folder or a package resolves to the file that Node finds without the hook', async () => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'resolve-hook-'))
  onTestFinished(() => fs.rmSync(root, { recursive: true, force: true }))
  const write = (file: string, text: string | object) => {
    fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    fs.writeFileSync(path.join(root, file), typeof text === 'string' ? text : JSON.stringify(text))
  }
  // Each package imports `dep` twice, from two folders, and has one of its own.
  for (const name of ['a', 'b']) {
    write(`${name}/package.json`, { name, type: 'module' })
    write(`${name}/node_modules/dep/package.json`, {
      type: 'module',
      exports: { '.': './one.js', './sub': './sub.js' },
    })
    write(`${name}/node_modules/dep/one.js`, `export default 'dep of ${name}'`)
    write(`${name}/node_modules/dep/sub.js`, `export { default } from './one.js'`)
    write(`${name}/deep/again.js`, `export { default } from 'dep'`)
    // A folder of CommonJS within ES modules.
    write(`${name}/old/package.json`, { type: 'commonjs' })
    for (const one of ['one', 'two']) write(`${name}/old/${one}.js`, `module.exports = '${one} of ${name}'`)
    write(
      `${name}/main.js`,
      `import dep from 'dep'; import sub from 'dep/sub'; import again from './deep/again.js'
      import one from './old/one.js'; import two from './old/two.js'
      export default [dep, sub, again, one, two]`,
    )
  }
  write('package.json', { type: 'module' })
  write('main.js', `import a from './a/main.js'; import b from './b/main.js'; console.log(JSON.stringify([a, b]))`)
  const run = promisify(execFile)
  const { stdout } = await run(process.execPath, ['--import', hook, path.join(root, 'main.js')], { env: {} })
  const of = (name: string) => [...Array(3).fill(`dep of ${name}`), `one of ${name}`, `two of ${name}`]
  expect(JSON.parse(stdout)).toEqual([of('a'), of('b')])
})
