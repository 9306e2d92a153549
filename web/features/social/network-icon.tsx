import { type Platform, platformNames } from '@flashsheet/contracts/networks'
import type { ReactNode } from 'react'
import styles from './network-icon.module.css'

/** Plain one-colour signs of the networks, drawn on 24 × 24. */
const signs: Record<Platform, ReactNode> = {
  facebook: (
    <path d="M13.6 22v-8.2h2.9l.5-3.4h-3.4V8.2c0-1 .4-1.8 1.9-1.8h1.6V3.5c-.4-.1-1.4-.2-2.5-.2-2.7 0-4.4 1.6-4.4 4.6v2.5H7.1v3.4h3.1V22z" />
  ),
  instagram: (
    <g fill="none" stroke="currentColor" strokeWidth="2">
      <rect x="3" y="3" width="18" height="18" rx="5" />
      <circle cx="12" cy="12" r="4.2" />
      <circle cx="17.1" cy="6.9" r=".7" fill="currentColor" strokeWidth="1" />
    </g>
  ),
  tiktok: (
    <path d="M16.3 2.5h-3.3v13.1a2.6 2.6 0 1 1-2.6-2.7c.3 0 .5 0 .7.1V9.6a6 6 0 1 0 5.2 6V9a7.6 7.6 0 0 0 4.3 1.4V7a4.4 4.4 0 0 1-4.3-4.5z" />
  ),
  youtube: (
    <path
      fillRule="evenodd"
      d="M22.6 7.2a2.9 2.9 0 0 0-2-2C18.8 4.7 12 4.7 12 4.7s-6.8 0-8.6.5a2.9 2.9 0 0 0-2 2C1 9 1 12 1 12s0 3 .4 4.8a2.9 2.9 0 0 0 2 2c1.8.5 8.6.5 8.6.5s6.8 0 8.6-.5a2.9 2.9 0 0 0 2-2c.4-1.8.4-4.8.4-4.8s0-3-.4-4.8zM9.7 15.3V8.7l5.8 3.3z"
    />
  ),
  linkedin: (
    <path
      fillRule="evenodd"
      d="M4.5 3h15A1.5 1.5 0 0 1 21 4.5v15a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 19.5v-15A1.5 1.5 0 0 1 4.5 3zM8.4 18v-7.7H5.8V18zM7.1 9.1a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM18.3 18v-4.2c0-2.3-1.2-3.6-2.9-3.6-1.3 0-1.9.7-2.3 1.3v-1.2h-2.5V18h2.5v-4c0-1.2.6-1.7 1.4-1.7.9 0 1.2.7 1.2 1.8V18z"
    />
  ),
}

/** The sign of a network, 1.25em wide. With `named` its name is read aloud; otherwise the name stands beside it. */
export function NetworkIcon({ platform, named = false }: { platform: Platform; named?: boolean }) {
  return (
    <svg
      className={styles['icon']}
      viewBox="0 0 24 24"
      {...(named ? { role: 'img', 'aria-label': platformNames[platform] } : { 'aria-hidden': true })}
    >
      {signs[platform]}
    </svg>
  )
}
