import type { Size } from './rendition.ts'

/** Widths from a third of a phone to a large screen at double density. */
const widths = [320, 640, 960, 1280, 1920]
/** A picture taller than this at its width gets a smaller width. */
const mostHeight = 2880

/**
 * The public sizes of a picture, smallest first: never upscaled, with its own width where that is below the maximum.
 */
export function publicSizes(picture: Size): Size[] {
  const widest =
    Math.min(
      picture.width,
      widths.at(-1) ?? picture.width,
      Math.floor((mostHeight * picture.width) / picture.height),
    ) || 1
  // Skips a size that is almost the same as another.
  const chosen = [...widths.filter((width) => width < widest * 0.9), widest]
  return chosen.map((width) => ({
    width,
    height: Math.min(mostHeight, Math.max(1, Math.round((width * picture.height) / picture.width))),
  }))
}
