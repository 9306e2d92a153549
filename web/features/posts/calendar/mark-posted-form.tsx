import { platformNames } from '@flashsheet/contracts/networks'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { PostCandidates, PostVariant } from '@flashsheet/contracts/posts/schema'
import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { failureOf } from '../../../lib/failure.ts'
import { formatScheduled } from '../../../lib/format.ts'
import { useUnsentText } from '../../../lib/session-end.ts'
import { trpc } from '../../../lib/trpc.ts'
import { Button } from '../../../ui/button.tsx'
import { useDialogInput } from '../../../ui/dialog.tsx'
import { RadioGroup } from '../../../ui/radio-group.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import layout from '../../../ui/layout.module.css'
import text from '../../../ui/text.module.css'
import { classes } from '../../../ui/classes.ts'
import styles from './unclear-page.module.css'
import type { PostActions } from './use-post-actions.ts'

const note = classes(text['note'], styles['note'])

export type MarkPostedFormProps = {
  variant: PostVariant
  actions: Pick<PostActions, 'pending' | 'markPosted' | 'pickCandidate' | 'markError'>
  onDone: () => void
}

/** The value of the option "None of these". No network gives a post this id. */
const pasteAddress = 'paste'

/** Asks which post of the page it is: one that the network lists, or one whose URL is pasted. */
export function MarkPostedForm({ variant, actions, onDone }: MarkPostedFormProps) {
  const query = trpc.posts.candidates.useQuery(
    { postId: variant.postId, variantId: variant._id },
    { staleTime: 0, gcTime: 0, retry: false, refetchOnWindowFocus: false },
  )
  const [picked, setPicked] = useState<string | null>(null)
  const [address, setAddress] = useState('')
  const keepDialogOpen = useDialogInput()
  useUnsentText(`address ${variant._id}`, address === '' ? undefined : { picked, address }, (unsent) => {
    setPicked(unsent.picked)
    setAddress(unsent.address)
    keepDialogOpen()
  })
  const network = platformNames[variant.platform]
  const candidates = query.data?.candidates ?? []
  const candidate = candidates.find((one) => one._id === picked)
  const isAddressAsked = candidates.length === 0 || picked === pasteAddress
  const error = actions.markError(variant._id)
  const isReady = candidate ? true : isAddressAsked && address.trim() !== ''
  return (
    <form
      className={layout['stack-3']}
      onSubmit={(event) => {
        event.preventDefault()
        if (candidate) actions.pickCandidate(variant._id, candidate._id, onDone)
        else actions.markPosted(variant._id, address, onDone)
      }}
    >
      {query.isPending && (
        <output className={classes(layout['line-2'], note)}>
          <Spinner />
          Looking at what is on {variant.pageName}...
        </output>
      )}
      {query.error && (
        <output className={note}>
          {failureOf(query.error, `The posts on ${network} could not be loaded.`).message} You can paste the address
          instead.
        </output>
      )}
      {query.data && candidates.length === 0 && (
        <p className={note}>
          {query.data.canList ? postMessages.noCandidates(variant.pageName) : postMessages.notListed(network)}
        </p>
      )}
      {candidates.length > 0 && (
        <RadioGroup
          label={`Which one on ${variant.pageName} is it?`}
          value={picked}
          onChange={setPicked}
          options={optionsOf(candidates)}
          error={isAddressAsked ? undefined : error}
          description={query.data?.hasMore ? 'There are more on the page than these.' : undefined}
        />
      )}
      {isAddressAsked && !query.isPending && (
        <TextField
          label={`Address of the post on ${network}`}
          type="url"
          inputMode="url"
          enterKeyHint="done"
          placeholder="https://"
          value={address}
          onChange={setAddress}
          error={error}
        />
      )}
      {!query.isPending && (
        <div className={layout['row-2']}>
          {candidate?.permalink && (
            <a className={text['link-out']} href={candidate.permalink} target="_blank" rel="noreferrer">
              See this one
              <ExternalLink />
            </a>
          )}
          <Button
            size="small"
            variant="primary"
            type="submit"
            isDisabled={actions.pending !== null || !isReady}
            pending={actions.pending === variant._id}
          >
            Mark as posted
          </Button>
        </div>
      )}
    </form>
  )
}

function optionsOf(candidates: PostCandidates['candidates']) {
  const listed = candidates.map(({ _id, words, postedAt }) => ({
    value: _id,
    label:
      words === '' ? <em className={text['muted']}>No caption</em> : <span className={text['breakable']}>{words}</span>,
    description: <time dateTime={postedAt}>{formatScheduled(postedAt)}</time>,
  }))
  return [...listed, { value: pasteAddress, label: 'None of these', description: 'Paste its address' }]
}
