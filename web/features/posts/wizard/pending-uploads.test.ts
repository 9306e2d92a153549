import { expect, test } from 'vitest'
import { arrivingText } from './pending-uploads.ts'

test('a submission that waits for uploads without a connection says so', () => {
  const sending = { percent: 40, isSending: true, isPaused: false, isStalled: false }
  expect(arrivingText({ each: [sending, sending], percent: 40 }, 2)).toBe('Uploading 2 files, 40%')
  expect(arrivingText({ each: [{ ...sending, isStalled: true }], percent: 40 }, 1)).toBe(
    'Uploading a file, 40%. No connection: it goes on by itself.',
  )
})
