import { type Platform, platformNames } from '@flashsheet/contracts/networks'
import { useEffect, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { isUnderWay } from '../media/upload.ts'
import { useUploads } from '../media/use-uploads.ts'
import { askAbout } from './asked-network.ts'
import { leaveForNetwork } from './go-to-network.ts'

export type UploadFirstDialogProps = { platform: Platform }

/** Asks what comes first, the upload or the network's login, and waits for the upload if told to. */
export function UploadFirstDialog({ platform }: UploadFirstDialogProps) {
  const uploads = [...useUploads().values()]
  const stayHere = () => askAbout(null)
  const [isWaiting, setIsWaiting] = useState(false)
  const underWay = uploads.filter(isUnderWay)
  const stopped = uploads.find((upload) => upload.state === 'failed' || upload.state === 'paused')
  const isDone = underWay.length === 0 && stopped === undefined
  useEffect(() => {
    if (isWaiting && isDone) leaveForNetwork(platform)
  }, [isWaiting, isDone, platform])
  const name = platformNames[platform]
  const percent = Math.floor(underWay.reduce((sum, upload) => sum + upload.percent, 0) / Math.max(1, underWay.length))
  const canWait = !isWaiting && underWay.length > 0
  return (
    <Dialog
      open
      onOpenChange={stayHere}
      title={underWay.length > 0 || isDone ? 'Your upload is still running' : 'Your upload has stopped'}
      actions={
        <>
          <Button onPress={stayHere}>Stay here</Button>
          <Button variant={canWait ? 'ink' : 'primary'} onPress={() => leaveForNetwork(platform)}>
            Connect now
          </Button>
          {canWait && (
            <Button variant="primary" onPress={() => setIsWaiting(true)}>
              Connect when it is done
            </Button>
          )}
        </>
      }
    >
      {underWay.length === 0 && stopped ? (
        <p>{stopped.failure ?? `${stopped.name} is paused.`}</p>
      ) : isWaiting ? (
        <>
          <p>{name} opens as soon as it is done.</p>
          <ProgressBar label="Uploading" labelHidden value={percent} />
        </>
      ) : (
        <p>Connecting opens {name}'s own login in place of this page, which cuts the upload off.</p>
      )}
    </Dialog>
  )
}
