import { type Platform, platformNames } from '@flashsheet/contracts/networks'
import { useEffect, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { useUploads } from '../media/use-uploads.ts'
import { WithProgress } from '../media/with-progress.tsx'
import { redirectToNetwork } from './go-to-network.ts'
import layout from '../../ui/layout.module.css'

export type UploadFirstDialogProps = { platform: Platform; open: boolean; onClose: () => void }

/** Asks whether to finish the upload before the redirect to the network's login, and waits if so. */
export function UploadFirstDialog({ platform, open, onClose }: UploadFirstDialogProps) {
  const [isWaiting, setIsWaiting] = useState(false)
  const unfinished = [...useUploads().values()].filter(({ state }) => state === 'started' || state === 'failed')
  const isDone = unfinished.length === 0
  useEffect(() => {
    if (isWaiting && isDone) redirectToNetwork(platform)
  }, [isWaiting, isDone, platform])
  const name = platformNames[platform]
  return (
    <WithProgress uploads={unfinished}>
      {({ each, percent }) => {
        const stoppedUpload = unfinished.find(({ state }, at) => state === 'failed' || each[at]?.isPaused)
        const isRunning = unfinished.some(({ state }, at) => state === 'started' && !each[at]?.isPaused)
        return (
          <Dialog
            open={open}
            onClose={onClose}
            title={isRunning || isDone ? 'Your upload is still running' : 'Your upload has stopped'}
            actions={
              <>
                <Button onPress={onClose}>Stay here</Button>
                <Button variant={isRunning ? 'secondary' : 'primary'} onPress={() => redirectToNetwork(platform)}>
                  Connect now
                </Button>
                {!isWaiting && isRunning && (
                  <Button variant="primary" onPress={() => setIsWaiting(true)}>
                    Connect when it is done
                  </Button>
                )}
              </>
            }
          >
            {!isRunning && stoppedUpload ? (
              <p>{stoppedUpload.failure ?? `${stoppedUpload.name} is paused.`}</p>
            ) : isWaiting ? (
              <div className={layout['stack-3']}>
                <p>{name} opens as soon as it is done.</p>
                <ProgressBar label="Uploading" isLabelHidden value={percent} />
              </div>
            ) : (
              <p>Connecting opens {name}'s own login in place of this page, which cuts the upload off.</p>
            )}
          </Dialog>
        )
      }}
    </WithProgress>
  )
}
