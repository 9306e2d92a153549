/** The longest side of a thumbnail. */
export const thumbnailSide = 480
