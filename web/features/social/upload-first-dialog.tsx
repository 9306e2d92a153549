import { type Platform, platformNames } from '@flashsheet/contracts/networks'
import { useEffect, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { useProgress, type MediaUppy } from '../media/upload-progress.ts'
import { useUploads, useUppy } from '../media/use-uploads.ts'
import { askAbout } from './asked-network.ts'
import { leaveForNetwork } from './go-to-network.ts'
import layout from '../../ui/layout.module.css'

export type UploadFirstDialogProps = { platform: Platform }

/** Asks whether to finish the upload before the redirect to the network's login, and waits for it. */
export function UploadFirstDialog({ platform }: UploadFirstDialogProps) {
  const uppy = useUppy()
  return uppy && <Question platform={platform} uppy={uppy} />
}

function Question({ platform, uppy }: UploadFirstDialogProps & { uppy: MediaUppy }) {
  const [isWaiting, setIsWaiting] = useState(false)
  const open = [...useUploads().values()].filter(({ state }) => state === 'begun' || state === 'failed')
  const { each, percent } = useProgress(uppy, open)
  const stopped = open.find(({ state }, at) => state === 'failed' || each[at]?.isPaused)
  const isRunning = open.some(({ state }, at) => state === 'begun' && !each[at]?.isPaused)
  const isDone = open.length === 0
  useEffect(() => {
    if (isWaiting && isDone) leaveForNetwork(platform)
  }, [isWaiting, isDone, platform])
  const stayHere = () => askAbout(null)
  const name = platformNames[platform]
  const canWait = !isWaiting && isRunning
  return (
    <Dialog
      open
      onClose={stayHere}
      title={isRunning || isDone ? 'Your upload is still running' : 'Your upload has stopped'}
      actions={
        <>
          <Button onPress={stayHere}>Stay here</Button>
          <Button variant={isRunning ? 'secondary' : 'primary'} onPress={() => leaveForNetwork(platform)}>
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
      {!isRunning && stopped ? (
        <p>{stopped.failure ?? `${stopped.name} is paused.`}</p>
      ) : isWaiting ? (
        <div className={layout['stack-3']}>
          <p>{name} opens as soon as it is done.</p>
          <ProgressBar label="Uploading" labelHidden value={percent} />
        </div>
      ) : (
        <p>Connecting opens {name}'s own login in place of this page, which cuts the upload off.</p>
      )}
    </Dialog>
  )
}
