declare module 'subset-font' {
  /** A font with only the characters of `text`. */
  export default function subsetFont(
    font: Buffer,
    text: string,
    options: {
      targetFormat: 'woff2'
      keepFeatures: string[]
      noHinting: boolean
      variationAxes: Record<string, number | { min: number; max: number; default: number }>
    },
  ): Promise<Buffer>
}
