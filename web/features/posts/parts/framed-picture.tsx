import { useRef, type CSSProperties, type KeyboardEvent, type PointerEvent } from 'react'
import { classes } from '../../../ui/classes.ts'
import type { Framing } from '../draft/framing.ts'
import styles from './framed-picture.module.css'

export type FramedPictureProps = {
  src: string
  name: string
  /** Width over height, of the picture and of its frame. */
  pictureRatio: number
  ratio: number
  framing: Framing
  /** Absent: read-only. */
  onFrame?: (patch: Partial<Framing>) => void
}

const step = 0.05
const clamp = (focus: number) => Math.min(1, Math.max(0, focus))

/** A picture in a frame of another ratio: cropped, and movable by drag and keys, or whole with bars. */
export function FramedPicture({ src, name, pictureRatio, ratio, framing, onFrame }: FramedPictureProps) {
  const drag = useRef<{ at: number; focus: number; room: number }>(undefined)
  const { isCropped, focus } = framing
  const isTall = pictureRatio < ratio
  const place: CSSProperties & Record<`--${string}`, string> = { '--focus': `${focus * 100}%` }
  const picture = (
    <img
      src={src}
      alt={name}
      decoding="async"
      draggable={false}
      style={place}
      className={isCropped ? styles['cropped'] : styles['whole']}
    />
  )
  if (!onFrame) return picture

  const move = (next: number) => onFrame({ focus: Math.round(clamp(next) * 100) / 100 })
  const onKeyDown = (event: KeyboardEvent) => {
    const back = isTall ? 'ArrowUp' : 'ArrowLeft'
    const on = isTall ? 'ArrowDown' : 'ArrowRight'
    const next = { [back]: focus - step, [on]: focus + step, Home: 0, End: 1 }[event.key]
    if (next === undefined) return
    event.preventDefault()
    move(next)
  }
  const at = (event: PointerEvent) => (isTall ? event.clientY : event.clientX)
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    // The length of the picture outside of its frame, in CSS pixels.
    const room = isTall ? box.width / pictureRatio - box.height : box.height * pictureRatio - box.width
    drag.current = { at: at(event), focus, room }
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  const onPointerMove = (event: PointerEvent) => {
    const from = drag.current
    if (from && from.room > 0) move(from.focus - (at(event) - from.at) / from.room)
  }
  const end = () => {
    drag.current = undefined
  }
  return (
    <>
      {isCropped ? (
        <div
          // No native input can show a picture.
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
          role="slider"
          tabIndex={0}
          aria-label={`Which part of ${name} is shown`}
          aria-orientation={isTall ? 'vertical' : 'horizontal'}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(focus * 100)}
          className={classes(styles['frame'], isTall ? styles['tall'] : styles['flat'])}
          onKeyDown={onKeyDown}
          onPointerDown={onPointerDown}
          onPointerMove={onPointerMove}
          onPointerUp={end}
          onPointerCancel={end}
        >
          {picture}
        </div>
      ) : (
        picture
      )}
      <fieldset className={styles['ways']} aria-label={`Shape of ${name}`}>
        {[true, false].map((crops) => (
          <button
            key={String(crops)}
            type="button"
            className={styles['way']}
            aria-pressed={isCropped === crops}
            onClick={() => onFrame({ isCropped: crops })}
          >
            {crops ? 'Crop' : 'Fit'}
          </button>
        ))}
      </fieldset>
    </>
  )
}
