import type { HistoryEntry } from '@flashsheet/contracts/admin/schema'
import { ExternalLink, Eye } from 'lucide-react'
import { toastFailure } from '../../../lib/toast-failure.ts'
import { trpc } from '../../../lib/trpc.ts'
import { tabletWidth, useMediaQuery } from '../../../lib/use-media-query.ts'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import styles from '../lists/list-screen.module.css'
import { nameOf } from '../parts/words.ts'

export function OrderTools({ entry, onOpen }: { entry: HistoryEntry; onOpen: () => void }) {
  const utils = trpc.useUtils()
  const narrow = useMediaQuery(tabletWidth)
  const whose = nameOf(entry.user)
  /** Opens a window during the press, since browsers block later ones as pop-ups, and loads the address into it once known. */
  const openAtStripe = async () => {
    const page = window.open('about:blank', '_blank')
    try {
      const { stripeUrl } = await utils.admin.order.fetch({ id: entry._id })
      if (!stripeUrl) throw new Error('There is no page for this order.')
      if (page) {
        page.opener = null
        page.location.href = stripeUrl
      }
    } catch (error) {
      page?.close()
      toastFailure(error, 'The page at Stripe could not be opened.')
    }
  }
  if (narrow) {
    return (
      <span className={styles['tools']}>
        <Button
          size="small"
          icon={<ExternalLink />}
          aria-label={`Order of ${whose} at Stripe`}
          onPress={() => void openAtStripe()}
        >
          Stripe
        </Button>
        <Button size="small" icon={<Eye />} aria-label={`Details of the order of ${whose}`} onPress={onOpen}>
          Details
        </Button>
      </span>
    )
  }
  return (
    <span className={styles['tools']}>
      <IconButton label={`Details of the order of ${whose}`} size="small" onPress={onOpen}>
        <Eye />
      </IconButton>
      <IconButton label={`Order of ${whose} at Stripe`} size="small" onPress={() => void openAtStripe()}>
        <ExternalLink />
      </IconButton>
    </span>
  )
}
