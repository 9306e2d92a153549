import { networkIconPaths } from '@flashsheet/contracts/network-icons'
import { type Platform, platformNames } from '@flashsheet/contracts/networks'
import styles from './network-icon.module.css'

/** The logo of a network, 1.25em wide. Decorative, unless `named` gives it the network's name for screen readers. */
export function NetworkIcon({ platform, named = false }: { platform: Platform; named?: boolean }) {
  return (
    <svg
      className={styles['icon']}
      viewBox="0 0 24 24"
      {...(named ? { role: 'img', 'aria-label': platformNames[platform] } : { 'aria-hidden': true })}
    >
      <path fillRule="evenodd" d={networkIconPaths[platform]} />
    </svg>
  )
}
