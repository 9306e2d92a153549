import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { promisify } from 'node:util'
import { picture } from '@flashsheet/sandbox/fixtures/videos'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Post } from '../packages/contracts/posts/schema.ts'
import { createArtist, type Artist } from '../api/testing/actors.ts'
import { startTestApp, type TestApp } from '../api/testing/app.ts'
import { connect } from '../api/testing/connect.ts'
import { createProgram } from '../api/testing/keys.ts'
import { snippets } from '../web/features/developers/snippets.ts'
import { openWindow } from './browser.ts'
import { faultsInEachAppearance } from './faults-in-each-appearance.ts'

const run = promisify(execFile)

let app: TestApp
let artist: Artist
let key: string
let folder: string
beforeAll(async () => {
  app = await startTestApp()
  artist = await createArtist(app)
  await connect(app, artist, 'facebook')
  key = (await createProgram(app, artist, ['media:write', 'accounts:read', 'posts:write'])).key
  folder = await mkdtemp(path.join(tmpdir(), 'snippets-'))
  await writeFile(path.join(folder, 'photo.jpg'), await picture(800, 1000, 7))
})
afterAll(async () => {
  await app?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Runs a snippet in a shell. */
async function runSnippet(text: string): Promise<string> {
  const env = { ...process.env, FLASHSHEET_KEY: key }
  return (await run('bash', ['-euo', 'pipefail', '-c', text], { cwd: folder, env })).stdout
}
const hasPython = async () =>
  await run('python3', ['--version']).then(
    () => true,
    () => false,
  )
const posts = async () => (await artist.get<Post[]>('/api/posts')).body

describe('a snippet copied from /developers runs unchanged', () => {
  test('curl returns the artist of the key', async () => {
    expect(JSON.parse(await runSnippet(snippets.whoAmI(app.url)))).toMatchObject({ _id: artist.id })
  })

  test('curl schedules a post', async () => {
    const before = (await posts()).length
    expect(JSON.parse(await runSnippet(snippets.post(app.url)))).toMatchObject({ status: 'scheduled' })
    expect(await posts()).toHaveLength(before + 1)
  })

  test('TypeScript schedules a post', async () => {
    const before = (await posts()).length
    await writeFile(path.join(folder, 'post.mts'), snippets.typescript(app.url))
    expect(await runSnippet(`'${process.execPath}' post.mts`)).toContain("status: 'scheduled'")
    expect(await posts()).toHaveLength(before + 1)
  })

  test('Python schedules a post', async ({ skip }) => {
    if (!(await hasPython())) return skip('there is no python3 on this machine to run the program with')
    const before = (await posts()).length
    await writeFile(path.join(folder, 'post.py'), snippets.python(app.url))
    expect(JSON.parse(await runSnippet('python3 post.py'))).toMatchObject({ status: 'scheduled' })
    expect(await posts()).toHaveLength(before + 1)
  })
})

test('the page fits a narrow phone, a phone in the dark and a desktop without an account, and is free of accessibility faults', async () => {
  const { page, pageErrors, close } = await openWindow({ reuse: true, baseUrl: app.url })
  try {
    await page.goto('/developers')
    await page.getByText(`export FLASHSHEET_URL=${app.url}`).first().waitFor()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy: Who am I, by curl' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate(async () => await navigator.clipboard.readText())).toBe(snippets.whoAmI(app.url))
    // The tooltip of the button under the pointer belongs to no landmark.
    await page.mouse.move(0, 0)
    expect(await faultsInEachAppearance(page)).toEqual([])
    expect(pageErrors).toEqual([])
  } finally {
    await close()
  }
})
