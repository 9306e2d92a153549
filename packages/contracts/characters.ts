/** Splits a text into characters as people see them, such as é of two code points, or an emoji with a skin tone. */
export const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })
