/** What can be shown of a picked item right now. */
export type MediaPreview = {
  /** A small picture; null while there is none. */
  poster: string | null
  /** The picture or video itself. */
  src: string | null
}
