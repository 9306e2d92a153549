export type MediaPreview = {
  /** Thumbnail; null while there is none. */
  poster: string | null
  /** The picture or video itself. */
  src: string | null
}
