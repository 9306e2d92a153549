import { Copy, ExternalLink, Share2 } from 'lucide-react'
import { encodeQR } from 'qr'
import { ButtonAnchor } from '../../ui/button-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.tsx'
import styles from './share-site-dialog.module.css'

export type ShareSiteDialogProps = {
  open: boolean
  onClose: () => void
  address: string
  name: string
  /** The site was just published for the first time. */
  isNew: boolean
}

export function ShareSiteDialog({ address, name, isNew, ...dialog }: ShareSiteDialogProps) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address)
      toast.success('Address copied.')
    } catch {
      toast.error('It could not be copied. Please select the address and copy it.')
    }
  }
  const share = async () => {
    try {
      await navigator.share({ title: name, url: address })
    } catch {
      // `navigator.share` also rejects when the share sheet is closed.
    }
  }
  return (
    <Dialog
      {...dialog}
      title={isNew ? 'You are live' : 'Share your website'}
      actions={
        <>
          <Button icon={<Copy />} onPress={() => void copy()}>
            Copy address
          </Button>
          {'share' in navigator && (
            <Button variant="primary" icon={<Share2 />} onPress={() => void share()}>
              Share
            </Button>
          )}
        </>
      }
    >
      <div className={styles['site']}>
        <p>
          {isNew
            ? 'Everybody can see your website. Put its address where clients find you: your bio, your door, your card.'
            : 'Put its address where clients find you: your bio, your door, your card.'}
        </p>
        <ButtonAnchor href={address} target="_blank" rel="noreferrer" icon={<ExternalLink />}>
          {address.replace(/^https?:\/\//, '')}
        </ButtonAnchor>
        <QrCode address={address} />
        <ButtonAnchor
          href={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgFile(address))}`}
          download="website-qr.svg"
          size="small"
        >
          Save the QR code
        </ButtonAnchor>
      </div>
    </Dialog>
  )
}

/** An SVG path of the dark modules on a grid of `size`, with the quiet zone of 4 modules that QR scanners need. */
function codePath(address: string): { size: number; path: string } {
  const rows = encodeQR(address, 'raw', { ecc: 'medium', border: 4 })
  const path = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
  return { size: rows.length, path: path.join('') }
}

function svgFile(address: string): string {
  const { size, path } = codePath(address)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`
}

/** Black on white in both themes: many scanners do not read inverted codes. */
function QrCode({ address }: { address: string }) {
  const { size, path } = codePath(address)
  return (
    <svg className={styles['code']} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={`QR code of ${address}`}>
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={path} />
    </svg>
  )
}
