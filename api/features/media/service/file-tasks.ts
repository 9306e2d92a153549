import { mediaMessages } from '@flashsheet/contracts/media/messages'
import type { System } from '../../../core/context.ts'
import { invalid, unavailable } from '../../../core/errors.ts'
import { ProcessTerminated } from '../../../core/process-pool.ts'
import type { fileTasks } from './file-process.ts'

/** Every task that opens an uploaded file, by name (docs/product/media.md, "Inspecting files"). */
type FileTaskName = keyof typeof fileTasks
type FileTask<N extends FileTaskName> = Awaited<ReturnType<(typeof fileTasks)[N]>>

/** A child process's answer: the result, a refusal of the file, or an error that does not blame the file. */
export type FileAnswer =
  | { result: unknown }
  | { refused: string }
  | { fault: { message: string; code?: string | undefined; errno?: number | undefined } }

/** The time limit for inspecting one file. */
const inspectMs = 10_000
/** The time limit for converting an accepted file: up to 300 MB are read and written. */
const convertMs = 30_000
const retrySeconds = 30

/** The refusal of a file whose inspection killed the process or took too long. Other tasks work on accepted files. */
const refusals: { [N in FileTaskName]?: string } = {
  inspectImage: mediaMessages.imageUnreadable,
  inspectVideo: mediaMessages.videoUnreadable,
  drawThumbnail: mediaMessages.posterUnreadable,
  drawAvatar: mediaMessages.imageUnreadable,
  drawSitePictures: mediaMessages.imageUnreadable,
}

/**
 * Runs a task in a child process; each artist has one at a time. Throws invalid with the reason why the file is
 * refused; `unavailable` when too many wait, or when an accepted file cannot be converted now; and errors of the disk
 * or machine, which do not blame the file.
 */
export async function runFileTask<N extends FileTaskName>(
  system: System,
  owner: string,
  name: N,
  ...input: Parameters<FileTask<N>>
): Promise<Awaited<ReturnType<FileTask<N>>>> {
  const refusal = refusals[name]
  let answer: FileAnswer
  try {
    const timeoutMs = refusal === undefined ? convertMs : inspectMs
    answer = (await system.filePool.run(owner, { name, input }, timeoutMs)) as FileAnswer
  } catch (error) {
    if (!(error instanceof ProcessTerminated)) throw error
    system.log.warn({ err: error, task: name, owner }, 'a file could not be processed')
    throw refusal === undefined ? unavailable(mediaMessages.notMade, retrySeconds, error) : invalid(refusal)
  }
  if ('refused' in answer) throw invalid(answer.refused)
  if ('fault' in answer) throw Object.assign(new Error(answer.fault.message), answer.fault)
  return answer.result as Awaited<ReturnType<FileTask<N>>>
}
