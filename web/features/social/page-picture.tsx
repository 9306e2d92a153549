import type { Platform } from '@flashsheet/contracts/networks'
import { Avatar } from '../../ui/avatar.tsx'
import { NetworkIcon } from './network-icon.tsx'
import styles from './page-picture.module.css'

/** A page's picture, or its initials, with the sign of its network. Only `named` says the network's name; the page's is beside it. */
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
  return (
    <span className={styles['picture']}>
      <Avatar name={name} size="medium" {...(picture ? { src: picture } : {})} />
      <span className={styles['sign']}>
        <NetworkIcon platform={platform} named={named} />
      </span>
    </span>
  )
}
