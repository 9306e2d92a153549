import type { Size } from './rendition.ts'

/** From a phone at single density to a large screen at double density. */
const widths = [320, 640, 960, 1280, 1920]
/** A picture that would be taller than this gets a smaller width. */
const maxHeight = 2880

/** The public sizes of a picture, smallest first, never upscaled. Its own width is one if it is below the maximum. */
export function publicSizes(picture: Size): Size[] {
  const widest =
    Math.min(picture.width, widths.at(-1) ?? picture.width, Math.floor((maxHeight * picture.width) / picture.height)) ||
    1
  // Skips a size that is almost as wide as the widest.
  const chosen = [...widths.filter((width) => width < widest * 0.9), widest]
  return chosen.map((width) => ({
    width,
    height: Math.min(maxHeight, Math.max(1, Math.round((width * picture.height) / picture.width))),
  }))
}
