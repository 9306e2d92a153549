import type { Platform } from '@flashsheet/contracts/networks'
import { Check } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import styles from './connect-dialog.module.css'
import { goToNetwork } from './go-to-network.ts'
import { connectWords } from './network-words.ts'

/** What a network wants, before the artist is sent there. */
export function ConnectDialog({ platform, open, onClose }: { platform: Platform; open: boolean; onClose: () => void }) {
  const { title, body, requirements } = connectWords[platform]
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      title={title}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            variant="primary"
            onPress={() => {
              // Closed first: a browser that comes back to this very page finds it as it was.
              onClose()
              goToNetwork(platform)
            }}
          >
            Connect
          </Button>
        </>
      }
    >
      <p className={styles['text']}>{body}</p>
      <h3 className={styles['heading']}>Requirements</h3>
      <ul className={styles['list']}>
        {requirements.map((requirement) => (
          <li key={requirement}>
            <Check aria-hidden="true" />
            {requirement}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
