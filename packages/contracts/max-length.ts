import { z } from 'zod'

/**
 * At most `max` UTF-16 units, as the counters on screen and TikTok count; no network counts more. Zod's own `max` counts an
 * emoji as one character.
 */
export const atMost = (max: number, message: string) =>
  z.refine<string>((text) => text.length <= max, { error: message })

/** Half of a character, left where an emoji was cut, becomes a replacement character: Postgres stores no such JSON. */
export const wellFormed = z.overwrite<string>((text) => text.toWellFormed())

/**
 * Line breaks and other control characters become a space. Names appear in mails, where text after a line break would look
 * like a paragraph of ours.
 */
export const oneLine = z.overwrite<string>((text) => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '))

/** Trimmed text of one line and at most `max` characters, with a message each for missing and too long text. */
export const requiredText = (missing: string, max: number, tooLong: string) =>
  z.string({ error: missing }).check(wellFormed, oneLine).trim().min(1, missing).max(max, tooLong)
