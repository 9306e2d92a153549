import * as fs from 'node:fs/promises'
import * as path from 'node:path'
import { CommandFailed, exitCodes } from './terminal.ts'

export type Login = { url: string; apiKey: string }

const fileOf = (folder: string, name: string) => path.join(folder, `${name}.json`)

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await fs.readFile(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** Replaces the file atomically, by a rename. Only its owner may read it. Throws CommandFailed. */
async function writeJson(file: string, value: unknown): Promise<void> {
  const next = `${file}.${process.pid}`
  try {
    await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
    await fs.writeFile(next, JSON.stringify(value), { mode: 0o600 })
    await fs.rename(next, file)
  } catch (error) {
    throw new CommandFailed(`${file} cannot be written: ${(error as Error).message}`)
  }
}

export const saveLogin = async (folder: string, login: Login): Promise<void> =>
  await writeJson(fileOf(folder, 'login'), login)

/** Throws CommandFailed without a stored login. */
export async function readLogin(folder: string): Promise<Login> {
  const found = (await readJson(fileOf(folder, 'login'))) as Partial<Login> | undefined
  if (typeof found?.url === 'string' && typeof found.apiKey === 'string')
    return { url: found.url, apiKey: found.apiKey }
  throw new CommandFailed('You are not logged in. Run: flashsheet login', exitCodes.notLoggedIn)
}

/** The tus addresses of files that are uploaded, wholly or partly, and in no post yet, by `LocalFile.key`. */
export async function readUploads(folder: string): Promise<Record<string, string>> {
  return ((await readJson(fileOf(folder, 'uploads'))) ?? {}) as Record<string, string>
}

/** Stores the tus address of a file; undefined deletes it. */
export async function saveUpload(folder: string, key: string, url: string | undefined): Promise<void> {
  const { [key]: _, ...others } = await readUploads(folder)
  await writeJson(fileOf(folder, 'uploads'), url === undefined ? others : { ...others, [key]: url })
}

/** A post whose request had no answer, so that it is unknown whether it was created. */
export type UnansweredPost = { requestId: string; mediaIds: string[] }

// Each post has its own file, so that concurrent commands do not overwrite each other's request ids.
const unansweredName = (key: string) => `unanswered-${key}`

/** The unanswered post of an earlier run of the same command. */
export async function readUnansweredPost(folder: string, key: string): Promise<UnansweredPost | undefined> {
  return (await readJson(fileOf(folder, unansweredName(key)))) as UnansweredPost | undefined
}

/** Stores a post before it is sent. */
export const saveUnansweredPost = async (folder: string, key: string, post: UnansweredPost): Promise<void> =>
  await writeJson(fileOf(folder, unansweredName(key)), post)

/** Deletes the stored request of a post after its answer has arrived. */
export const deleteUnansweredPost = async (folder: string, key: string): Promise<void> =>
  await fs.rm(fileOf(folder, unansweredName(key)), { force: true })
