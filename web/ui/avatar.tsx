import layout from './layout.module.css'
import styles from './avatar.module.css'
import { classes } from './classes.ts'

/** Initials from the first and last word of a name, 'U' if there is none. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean)
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  return (
    ends
      .map((word = '') => [...letters.segment(word)][0]?.segment)
      .join('')
      .toLocaleUpperCase() || 'U'
  )
}

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** A round picture, or the initials of the name. Decorative: the name is beside it or in its button's label. */
export function Avatar({
  name,
  src,
  onBroken,
  size = 'medium',
}: {
  name: string
  src?: string
  /** The picture cannot be shown. */
  onBroken?: () => void
  size?: 'small' | 'medium' | 'large'
}) {
  return (
    <span className={classes(styles['avatar'], styles[size])} aria-hidden="true">
      {src ? <img className={layout['cover']} src={src} alt="" onError={onBroken} /> : initialsOf(name)}
    </span>
  )
}
