import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import * as fs from 'node:fs/promises'
import * as path from 'node:path'
import { DetailedError, Upload } from 'tus-js-client'
import { refusalOf } from './api-call.ts'
import { saveUpload, readUploads, type Login } from './config-file.ts'
import { CommandFailed, exitCodes, misused, stopped, type Terminal } from './terminal.ts'

const types: Record<string, string> = {
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.mp4': 'video/mp4',
  '.mov': 'video/quicktime',
}
/** After Ctrl-C: uploads are resumable. */
export const resumable = ' The same command goes on from here.'
const chunkBytes = 8 * 1024 * 1024
const barWidth = 24

/** A file to upload. `key` identifies its present content and the installation to which it is uploaded. */
export type LocalFile = { path: string; type: string; bytes: number; key: string }

/** Throws CommandFailed if there is no such file, or the library does not accept its type. */
export async function localFile({ url }: Pick<Login, 'url'>, file: string): Promise<LocalFile> {
  const stats = await fs.stat(file).catch(() => undefined)
  const type = types[path.extname(file).toLowerCase()]
  if (!stats?.isFile()) throw misused(`There is no file ${file}.`)
  if (type === undefined) throw misused(`${file} is no JPEG, PNG, MP4 or MOV.`)
  const identity = [url, path.resolve(file), stats.size, stats.mtimeMs]
  return { path: file, type, bytes: stats.size, key: createHash('sha256').update(identity.join('\n')).digest('hex') }
}

/**
 * Uploads a file by tus, continuing an interrupted upload; returns the id of the media item. The upload's address stays
 * stored, so that a complete file is not uploaded again, until the caller deletes it (`saveUpload`). Throws CommandFailed.
 */
export async function uploadFile(
  terminal: Terminal,
  login: Login,
  { path: file, type, bytes, key }: LocalFile,
): Promise<string> {
  const name = path.basename(file)
  const uploadUrl = (await readUploads(terminal.folder))[key]
  return await new Promise<string>((resolve, reject) => {
    let saved: Promise<void> = Promise.resolve()
    const upload = new Upload(createReadStream(file), {
      endpoint: new URL('/api/uploads', login.url).href,
      ...(uploadUrl === undefined ? {} : { uploadUrl }),
      uploadSize: bytes,
      chunkSize: chunkBytes,
      metadata: { filename: name, filetype: type },
      headers: { authorization: `Bearer ${login.apiKey}` },
      retryDelays: [500, 1000, 3000, 5000, 10_000],
      storeFingerprintForResuming: false,
      onUploadUrlAvailable: () => {
        saved = saveUpload(terminal.folder, key, upload.url ?? undefined)
      },
      onProgress: (sent, total) => drawProgress(terminal, name, sent, total ?? bytes),
      onSuccess: ({ lastResponse }) => {
        const item = lastResponse.getHeader('Media-Id')
        const settle = () => (item === undefined ? reject(missingItem(name)) : resolve(item))
        void saved.then(settle, reject)
      },
      onError: (error) => void saved.then(() => reject(failureOf(error)), reject),
    })
    terminal.signal.addEventListener('abort', () => {
      void upload.abort().then(() => reject(stopped(resumable)))
    })
    upload.start()
  })
}

const missingItem = (name: string) =>
  new CommandFailed(`The server did not say what became of ${name}. Please try again.`)

function drawProgress({ isTerminal, err }: Terminal, name: string, sent: number, total: number): void {
  if (!isTerminal) return
  const share = total === 0 ? 1 : sent / total
  const full = Math.round(share * barWidth)
  const bar = `${'█'.repeat(full)}${'░'.repeat(barWidth - full)}`
  err(`\r${name} ${bar} ${Math.round(share * 100)} %${sent === total ? '\n' : ''}`)
}

function failureOf(error: Error): CommandFailed {
  const response = error instanceof DetailedError ? error.originalResponse : null
  if (!response) return new CommandFailed(`Flashsheet cannot be reached: ${error.message}`, exitCodes.unreachable)
  try {
    return refusalOf(response.getStatus(), JSON.parse(response.getBody()))
  } catch {
    return refusalOf(response.getStatus(), { message: response.getBody() })
  }
}
