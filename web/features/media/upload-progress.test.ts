import { expect, test } from 'vitest'
import { progressOf, type UppyFiles } from './upload-progress.ts'

const files = (file: object) => ({ f: { meta: { entry: 'a', stalledAt: null }, ...file } }) as unknown as UppyFiles

test.each([
  ['is not in Uppy yet', {}, { percent: 0, isSending: false, isPaused: false, isStalled: false }],
  [
    'has sent half of its bytes',
    files({ progress: { uploadStarted: 1, bytesUploaded: 100 } }),
    { percent: 50, isSending: true, isPaused: false, isStalled: false },
  ],
  [
    'has sent all its bytes, which the server checks',
    files({ progress: { uploadStarted: 1, bytesUploaded: 200 } }),
    { percent: 99, isSending: true, isPaused: false, isStalled: false },
  ],
  [
    'is paused',
    files({ progress: { uploadStarted: 1, bytesUploaded: false }, isPaused: true }),
    { percent: 0, isSending: true, isPaused: true, isStalled: false },
  ],
  [
    'cannot reach the server for its first byte',
    files({ progress: { uploadStarted: 1, bytesUploaded: 0 }, meta: { entry: 'a', stalledAt: 0 } }),
    { percent: 0, isSending: true, isPaused: false, isStalled: true },
  ],
])('reports the progress of an upload that %s', (_, state, expected) => {
  expect(progressOf(state as UppyFiles, { id: 'a', size: 200 })).toEqual(expected)
})

test('reports no progress of an empty file', () => {
  expect(progressOf(files({ progress: { uploadStarted: 1, bytesUploaded: 0 } }), { id: 'a', size: 0 }).percent).toBe(0)
})
