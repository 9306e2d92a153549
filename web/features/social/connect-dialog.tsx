import { type Platform, platformNames } from '@flashsheet/contracts/networks'
import { Check } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import text from '../../ui/text.module.css'
import { classes } from '../../ui/classes.ts'
import layout from '../../ui/layout.module.css'
import styles from './connect-dialog.module.css'
import { goToNetwork } from './go-to-network.ts'
import { connectTexts } from './network-texts.ts'

/** Lists the requirements of a network before the redirect to its login. */
export function ConnectDialog({ platform, open, onClose }: { platform: Platform; open: boolean; onClose: () => void }) {
  const { body, requirements } = connectTexts[platform]
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`Connect ${platformNames[platform]}`}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            variant="primary"
            onPress={() => {
              // Closed first, because the back/forward cache may restore the page in its last state.
              onClose()
              goToNetwork(platform)
            }}
          >
            Connect
          </Button>
        </>
      }
    >
      <p className={text['muted']}>{body}</p>
      <h3 className={styles['heading']}>Requirements</h3>
      <ul className={classes(layout['stack-2'], styles['list'])}>
        {requirements.map((requirement) => (
          <li key={requirement}>
            <Check />
            {requirement}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
