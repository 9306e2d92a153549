import type { Size } from './rendition.ts'

/** Widths a page asks for, from a third of a phone to a large screen at double density. */
const widths = [320, 640, 960, 1280, 1920]
/** A picture taller than this at its width is shown smaller as a whole. */
const mostHeight = 2880

/** The sizes the public gets of a picture, smallest first: never larger than it is, its own width where that is less than the widest. */
export function publicSizes(picture: Size): Size[] {
  const widest =
    Math.min(
      picture.width,
      widths.at(-1) ?? picture.width,
      Math.floor((mostHeight * picture.width) / picture.height),
    ) || 1
  // Two sizes that hardly differ would only cost room.
  const chosen = [...widths.filter((width) => width < widest * 0.9), widest]
  return chosen.map((width) => ({
    width,
    height: Math.min(mostHeight, Math.max(1, Math.round((width * picture.height) / picture.width))),
  }))
}
