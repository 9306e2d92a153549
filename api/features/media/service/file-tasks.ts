import { mediaMessages } from '@flashsheet/contracts/media/messages'
import type { System } from '../../../core/context.ts'
import { invalid, unavailable } from '../../../core/errors.ts'
import { ProcessGone } from '../../../core/process-pool.ts'
import type { fileTasks } from './file-process.ts'

/** Everything that opens a file somebody sent, by name (docs/product/media.md, "Looking at files"). */
export type FileTasks = typeof fileTasks
export type FileTaskName = keyof FileTasks

/** What a child answers: the result, or why there is none. */
export type FileAnswer =
  | { result: unknown }
  | { refused: string }
  | { fault: { message: string; code?: string | undefined; errno?: number | undefined } }

/** How long looking at one file may take. */
const lookMs = 10_000
/** Copying or drawing anew what was looked at before: up to 300 MB are read and written. */
const makeMs = 30_000
const retrySeconds = 30

/** What is said of a file whose first look ends without an answer: the process died over it, or it took too long. */
const unreadable: { [N in FileTaskName]?: string } = {
  inspectImage: mediaMessages.imageUnreadable,
  inspectVideo: mediaMessages.videoUnreadable,
  drawThumbnail: mediaMessages.posterUnreadable,
  drawSitePictures: mediaMessages.imageUnreadable,
}

/**
 * Has a process of its own do one task for an artist, who has one under way at a time. Throws invalid with the reason the
 * file is refused for; `unavailable` when too many wait, or when a file that was read before cannot be made into something now; and what
 * the disk or the machine threw, which says nothing of the file.
 */
export async function askFileProcess<N extends FileTaskName>(
  system: System,
  owner: string,
  name: N,
  input: Parameters<FileTasks[N]>[0],
): Promise<Awaited<ReturnType<FileTasks[N]>>> {
  let answer: FileAnswer
  try {
    answer = (await system.filePool.run(
      owner,
      { name, input },
      unreadable[name] === undefined ? makeMs : lookMs,
    )) as FileAnswer
  } catch (error) {
    if (!(error instanceof ProcessGone)) throw error
    system.log.warn({ err: error, task: name, owner }, 'a file could not be looked at')
    throw unreadable[name] === undefined
      ? unavailable(mediaMessages.notMade, retrySeconds, error)
      : invalid(unreadable[name])
  }
  if ('refused' in answer) throw invalid(answer.refused)
  if ('fault' in answer) throw Object.assign(new Error(answer.fault.message), answer.fault)
  return answer.result as Awaited<ReturnType<FileTasks[N]>>
}
