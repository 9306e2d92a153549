declare module 'subset-font' {
  /** The letters of `text` alone, as a font of its own. */
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
