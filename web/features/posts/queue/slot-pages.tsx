import { platformNames } from '@flashsheet/contracts/networks'
import type { QueuePage } from '@flashsheet/contracts/queue/schema'
import type { SocialAccount } from '@flashsheet/contracts/social/schema'
import { useId } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { classes } from '../../../ui/classes.ts'
import hidden from '../../../ui/visually-hidden.module.css'
import { connectedPages } from '../../social/connected-pages.ts'
import { PagePicture } from '../../social/page-picture.tsx'
import { pageKey } from '../draft/draft.ts'
import text from '../../../ui/text.module.css'
import { useSettling } from '../../../ui/use-settling.ts'
import layout from '../../../ui/layout.module.css'
import styles from './slot-pages.module.css'

export type SlotPagesProps = {
  /** Undefined: all pages, including those connected later. */
  pages: readonly QueuePage[] | undefined
  onChange: (pages: QueuePage[] | undefined) => void
  /** Undefined until they are loaded. */
  accounts: readonly SocialAccount[] | undefined
  /** The form was submitted, so an empty choice is shown as an error. */
  isSubmitted: boolean
}

/** Chooses the pages of a slot: all, or some. */
export function SlotPages({ pages, onChange, accounts, isSubmitted }: SlotPagesProps) {
  const isInvalid = isSubmitted && pages?.length === 0
  const errorId = useId()
  return (
    <div className={styles['pages']}>
      <Checkbox checked={pages === undefined} onChange={(all) => onChange(all ? undefined : [])}>
        All pages
      </Checkbox>
      {pages && (
        <fieldset aria-describedby={isInvalid ? errorId : undefined}>
          <legend className={hidden['hidden']}>Pages</legend>
          {accounts ? (
            <Choices pages={pages} onChange={onChange} accounts={accounts} />
          ) : (
            pages.length > 0 && (
              <p className={text['note']}>
                {pages.length === 1 ? 'For one page only.' : `For ${pages.length} pages only.`}
              </p>
            )
          )}
        </fieldset>
      )}
      {isInvalid && (
        <p id={errorId} className={classes(text['error'], styles['problem'])}>
          Please choose at least one page, or all pages.
        </p>
      )}
    </div>
  )
}

function Choices({
  pages,
  onChange,
  accounts,
}: {
  pages: readonly QueuePage[]
  onChange: (pages: QueuePage[]) => void
  accounts: readonly SocialAccount[]
}) {
  const picked = new Set(pages.map(pageKey))
  const connected = connectedPages(accounts)
  const known = new Set(connected.map(pageKey))
  const disconnected = pages.filter((page) => !known.has(pageKey(page)))
  const without = (key: string) => pages.filter((page) => pageKey(page) !== key)
  return (
    <>
      {connected.length === 0 && disconnected.length === 0 && <p className={text['note']}>No page is connected yet.</p>}
      <ul className={classes(layout['panel'], styles['list'])} data-settling={useSettling(disconnected.length)}>
        {connected.map((page) => {
          const key = pageKey(page)
          const isTwice = connected.some(
            (other) => other !== page && other.pageId === page.pageId && other.platform === page.platform,
          )
          return (
            <li key={key}>
              <Checkbox
                checked={picked.has(key)}
                onChange={(on) =>
                  onChange(
                    on ? [...pages, { socialAccountId: page.socialAccountId, pageId: page.pageId }] : without(key),
                  )
                }
              >
                <span className={layout['line-3']}>
                  <PagePicture platform={page.platform} name={page.name} picture={page.picture} />
                  <span className={classes(layout['words'], text['breakable'])}>
                    <span>{page.name}</span>
                    <span className={text['note']}>
                      {platformNames[page.platform]}
                      {isTwice && ` through ${page.providerName}`}
                    </span>
                  </span>
                </span>
              </Checkbox>
            </li>
          )
        })}
        {disconnected.map((page, at) => (
          <li key={pageKey(page)} className={styles['gone']}>
            <span className={text['error']}>A page that is no longer connected</span>
            <Button
              size="small"
              aria-label={
                disconnected.length === 1 ? 'Remove the page' : `Remove page ${at + 1} of ${disconnected.length}`
              }
              onPress={() => onChange(without(pageKey(page)))}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}
