import { queueLimits } from './limits.ts'

export const queueMessages = {
  dayWrong: 'Please send days as 1 for Monday to 7 for Sunday.',
  daysRequired: 'Please choose at least one day.',
  timeWrong: 'Please send a time such as 09:30.',
  tooManySlots: `A queue can have up to ${queueLimits.slotsMax} times.`,
  noPages: 'Please pick at least one page, or leave the pages out for all of them.',
  noSlots: 'Your queue has no time for all of these pages. Please add one, or choose a time for this post.',
  full: `Your queue is full: ${queueLimits.waitingMax} posts are waiting in it, or none of its times is free within a year.`,
  noSlotsToResume:
    'Some posts have missed their time, and your queue has no time for their pages. Please add one first.',
  /** Of a post in the queue, where it can be changed. */
  waits: {
    placed: 'This post is in your queue. If you give it another time, it leaves the queue.',
    paused:
      'Your queue is paused, so this post waits until you resume it. If you give it another time, it leaves the queue and goes out then.',
  },
  leave: 'Take it out of the queue',
  leaves: 'It leaves the queue when you save, and goes out at the time above.',
  stay: 'Leave it in the queue',
  stale: 'Your queue was changed somewhere else in the meantime. Please look at it again.',
  changedElsewhere:
    'Your queue was changed somewhere else in the meantime. If you save, your times replace the new ones.',
  showOthers: 'Show those times',
  loadFailed: 'Your queue could not be loaded',
  saved: 'Queue saved.',
  saveFailed: 'The queue could not be saved',
  pausedNow: 'The queue is paused.',
  resumedNow: 'The queue is running again.',
} as const
