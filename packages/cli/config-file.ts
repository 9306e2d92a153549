import * as fs from 'node:fs/promises'
import * as path from 'node:path'
import { CommandFailed, exitCodes } from './terminal.ts'

export type Login = { url: string; apiKey: string }

const nameOf = (folder: string, name: string) => path.join(folder, `${name}.json`)

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await fs.readFile(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** Written whole beside the old one and then put in its place; nobody else may read it. */
async function writeJson(file: string, value: unknown): Promise<void> {
  await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const next = `${file}.${process.pid}`
  await fs.writeFile(next, JSON.stringify(value), { mode: 0o600 })
  await fs.rename(next, file)
}

export const saveLogin = async (folder: string, login: Login): Promise<void> =>
  await writeJson(nameOf(folder, 'login'), login)

/** Throws CommandFailed for whoever is not logged in. */
export async function readLogin(folder: string): Promise<Login> {
  const found = (await readJson(nameOf(folder, 'login'))) as Partial<Login> | undefined
  if (typeof found?.url === 'string' && typeof found.apiKey === 'string')
    return { url: found.url, apiKey: found.apiKey }
  throw new CommandFailed('You are not logged in. Run: flashsheet login', exitCodes.notLoggedIn)
}

/** Where uploads that broke off go on, by file. */
export async function readUploads(folder: string): Promise<Record<string, string>> {
  return ((await readJson(nameOf(folder, 'uploads'))) ?? {}) as Record<string, string>
}

/** Notes where an upload goes on, or that it is done. */
export async function noteUpload(folder: string, key: string, url: string | undefined): Promise<void> {
  const { [key]: _, ...others } = await readUploads(folder)
  await writeJson(nameOf(folder, 'uploads'), url === undefined ? others : { ...others, [key]: url })
}
