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

/** Replaced atomically, by a rename; only its owner may read it. */
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

/** The tus addresses of files that were sent, whole or in part, and are in no post yet, by file. */
export async function readUploads(folder: string): Promise<Record<string, string>> {
  return ((await readJson(nameOf(folder, 'uploads'))) ?? {}) as Record<string, string>
}

/** Stores the tus address of a file; undefined deletes it. */
export async function noteUpload(folder: string, key: string, url: string | undefined): Promise<void> {
  const { [key]: _, ...others } = await readUploads(folder)
  await writeJson(nameOf(folder, 'uploads'), url === undefined ? others : { ...others, [key]: url })
}

/** A post that was sent without getting an answer: only the server knows whether it was made. */
export type UnansweredPost = { requestId: string; mediaIds: string[] }

// A file for each: of two commands at the same time, neither may lose the other's request id.
const unansweredName = (key: string) => `unanswered-${key}`

/** The post of this command whose answer never came, if there is one. */
export async function readUnansweredPost(folder: string, key: string): Promise<UnansweredPost | undefined> {
  return (await readJson(nameOf(folder, unansweredName(key)))) as UnansweredPost | undefined
}

/** Stores a post before it leaves. */
export const noteUnansweredPost = async (folder: string, key: string, post: UnansweredPost): Promise<void> =>
  await writeJson(nameOf(folder, unansweredName(key)), post)

/** Deletes what was stored of a post, once its answer has come. */
export const forgetUnansweredPost = async (folder: string, key: string): Promise<void> =>
  await fs.rm(nameOf(folder, unansweredName(key)), { force: true })
