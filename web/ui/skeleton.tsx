import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import hiddenStyles from './visually-hidden.module.css'
import styles from './skeleton.module.css'

/**
 * A placeholder in the shape of loading content. `line` is as high as a line of text, `block` fills its frame, `circle`
 * is an avatar. Wrap a screen's skeletons in Loading, which announces them once.
 */
export function Skeleton({
  shape = 'line',
  width = 'full',
}: {
  shape?: 'line' | 'block' | 'circle'
  width?: 'full' | 'half' | 'third'
}) {
  return <span className={classes(styles['skeleton'], styles[shape], styles[width])} aria-hidden="true" />
}

/** Blocks whose size is set by the class `frame`. */
export function SkeletonBlocks({ frame, count = 1 }: { frame: string | undefined; count?: number }) {
  return Array.from({ length: count }, (_, at) => (
    <div key={at} className={frame}>
      <Skeleton shape="block" />
    </div>
  ))
}

/** Skeletons with a text for screen readers. */
export function Loading({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <output className={hiddenStyles['hidden']}>{label}</output>
      {children}
    </>
  )
}
