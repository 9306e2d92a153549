import type { Platform } from '@flashsheet/contracts/networks'
import { useState } from 'react'
import { Avatar } from '../../ui/avatar.tsx'
import { NetworkIcon } from './network-icon.tsx'
import styles from './page-picture.module.css'

/** A page's picture or initials, with the network's logo. `named` adds the network's name for screen readers. Callers show the page's name. */
export function PagePicture({
  platform,
  name,
  picture,
  named = false,
}: {
  platform: Platform
  name: string
  picture: string | null | undefined
  named?: boolean
}) {
  const [broken, setBroken] = useState<string>()
  return (
    <span className={styles['picture']}>
      <Avatar
        name={name}
        {...(picture && picture !== broken ? { src: picture, onBroken: () => setBroken(picture) } : {})}
      />
      <span className={styles['sign']}>
        <NetworkIcon platform={platform} named={named} />
      </span>
    </span>
  )
}
