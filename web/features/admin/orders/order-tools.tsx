import type { HistoryEntry } from '@flashsheet/contracts/admin/schema'
import { ExternalLink, Eye } from 'lucide-react'
import { toastFailure } from '../../../lib/toast-failure.ts'
import { trpc } from '../../../lib/trpc.ts'
import { tabletWidth, useMediaQuery } from '../../../ui/use-media-query.ts'
import styles from '../lists/list-screen.module.css'
import { RowAction } from '../parts/row-action.tsx'
import { nameOf } from '../parts/labels.ts'

export function OrderTools({ entry, onOpen }: { entry: HistoryEntry; onOpen: () => void }) {
  const utils = trpc.useUtils()
  const isNarrow = useMediaQuery(tabletWidth)
  const artist = nameOf(entry.user)
  /** Opens the window during the press, because browsers block later ones as pop-ups, and navigates it when the URL is known. */
  const openAtStripe = async () => {
    const popup = window.open('about:blank', '_blank')
    try {
      const { stripeUrl } = await utils.admin.order.fetch({ id: entry._id })
      if (!stripeUrl) throw new Error('There is no page for this order.')
      if (popup) {
        popup.opener = null
        popup.location.href = stripeUrl
      }
    } catch (error) {
      popup?.close()
      toastFailure(error, 'The page at Stripe could not be opened.')
    }
  }
  const details = (
    <RowAction label={`Details of the order of ${artist}`} text="Details" icon={<Eye />} onPress={onOpen} />
  )
  return (
    <span className={styles['tools']}>
      {!isNarrow && details}
      <RowAction
        label={`Order of ${artist} at Stripe`}
        text="Stripe"
        icon={<ExternalLink />}
        onPress={() => void openAtStripe()}
      />
      {isNarrow && details}
    </span>
  )
}
