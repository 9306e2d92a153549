import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { classes } from '../../ui/classes.ts'
import styles from './header-bar.module.css'
import { Logo } from '../parts/logo.tsx'
import { useScrolled } from './use-scrolled.ts'

type HeaderBarProps = {
  /** Before the logo: the menu toggle on a phone. */
  before?: ReactNode
  children?: ReactNode
  /** `page` lines up with the text column, `wide` with the window. */
  width: 'page' | 'wide'
  /** Hides the name beside the logo below 768 px, to make room for a title. */
  isMarkOnly?: boolean
}

/** The header of every page: 100 px high, 70 px once the page is scrolled past 50 px. It is fixed, so the page below does not move. */
export function HeaderBar({ before, children, width, isMarkOnly = false }: HeaderBarProps) {
  const scrolled = useScrolled(50)
  return (
    <header className={classes(styles['bar'], scrolled && styles['scrolled'])} data-scrolled={scrolled}>
      <a className={styles['skip']} href="#content">
        Skip to content
      </a>
      <div className={classes(styles['row'], styles[width])}>
        {before}
        <Link
          to="/"
          className={classes(styles['home'], isMarkOnly && styles['mark-only'])}
          aria-label="Flashsheet, home"
        >
          <Logo />
        </Link>
        {children}
      </div>
    </header>
  )
}
