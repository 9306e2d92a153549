import { networkSigns } from '@flashsheet/contracts/network-signs'
import { type Platform, platformNames } from '@flashsheet/contracts/networks'
import styles from './network-icon.module.css'

/** The sign of a network, 1.25em wide. With `named` its name is read aloud; otherwise the name stands beside it. */
export function NetworkIcon({ platform, named = false }: { platform: Platform; named?: boolean }) {
  return (
    <svg
      className={styles['icon']}
      viewBox="0 0 24 24"
      {...(named ? { role: 'img', 'aria-label': platformNames[platform] } : { 'aria-hidden': true })}
    >
      <path fillRule="evenodd" d={networkSigns[platform]} />
    </svg>
  )
}
