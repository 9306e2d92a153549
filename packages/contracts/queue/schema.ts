import { z } from 'zod'
import { StudioZone } from '../auth/schema.ts'
import { uuid } from '../input.ts'
import { postLimits } from '../posts/limits.ts'
import { postMessages } from '../posts/messages.ts'
import { queueLimits } from './limits.ts'
import { queueMessages } from './messages.ts'

export const QueuePage = z.object({
  socialAccountId: uuid(postMessages.pageUnknown),
  pageId: z.string().min(1, postMessages.pageUnknown).max(200),
})
export type QueuePage = z.infer<typeof QueuePage>

/** A time of the week at which a post may go out. */
const QueueSlot = z.object({
  /** 1 is Monday. */
  days: z
    .array(
      z
        .number({ error: queueMessages.dayWrong })
        .int(queueMessages.dayWrong)
        .min(1, queueMessages.dayWrong)
        .max(7, queueMessages.dayWrong),
      { error: queueMessages.daysRequired },
    )
    .min(1, queueMessages.daysRequired)
    .max(7, queueMessages.dayWrong)
    .transform((days) => [...new Set(days)].toSorted((one, other) => one - other)),
  /** Wall time in the queue's zone. */
  time: z.string({ error: queueMessages.timeWrong }).regex(/^([01]\d|2[0-3]):[0-5]\d$/, queueMessages.timeWrong),
  /** The pages that it takes; absent: all. */
  pages: z.array(QueuePage).min(1, queueMessages.noPages).max(postLimits.variantsMax).optional(),
})

export const Queue = z.object({
  timeZone: z.string(),
  /** Queued posts wait until the queue is resumed; other posts are not affected. */
  paused: z.boolean(),
  slots: z.array(z.object({ ...QueueSlot.shape, days: z.array(z.number().int()) })),
})
export type Queue = z.infer<typeof Queue>

const Slots = z.array(QueueSlot).max(queueLimits.slotsMax, queueMessages.tooManySlots)

/** Omitted fields do not change. `previousSlots` are the slots that were read: slots that have changed since are not overwritten. */
export const SaveQueueInput = z.object({
  timeZone: StudioZone.shape.timeZone.optional(),
  paused: z.boolean().optional(),
  slots: Slots.optional(),
  previousSlots: Slots.optional(),
})
export type SaveQueueInput = z.infer<typeof SaveQueueInput>

export const NextSlotsInput = z.object({ count: z.coerce.number().int().min(1).max(queueLimits.nextMax).default(5) })
export type NextSlotsInput = z.infer<typeof NextSlotsInput>

/** A slot that is free for these pages. */
export const FreeSlot = z.object({ at: z.string(), pages: z.array(QueuePage) })
export type FreeSlot = z.infer<typeof FreeSlot>

/** The pages of a post for which a slot is requested. */
export const SlotForInput = z.object({ pages: z.array(QueuePage).min(1).max(postLimits.variantsMax) })
export type SlotForInput = z.infer<typeof SlotForInput>

/** `hasSlots`: whether the queue has any times. `at`: the slot; null: none is free for all of the pages. */
export type SlotFor = { hasSlots: boolean; paused: boolean; at: string | null }
