import type { PageAllowance } from '@flashsheet/contracts/posts/schema'
import { networks, type Platform, platformNames } from '@flashsheet/contracts/networks'
import { socialMessages } from '@flashsheet/contracts/social/messages'
import { Checkbox } from '../../../ui/checkbox.tsx'
import type { connectedPages } from '../../social/connected-pages.ts'
import { handleOf, HandleText } from '../../social/page-handle.tsx'
import { PagePicture } from '../../social/page-picture.tsx'
import { allowanceText, waitText } from '../parts/allowance-texts.ts'
import { pageKey } from '../draft/draft.ts'
import layout from '../../../ui/layout.module.css'
import { classes } from '../../../ui/classes.ts'
import text from '../../../ui/text.module.css'
import styles from './page-group.module.css'

export type PageChoice = ReturnType<typeof connectedPages>[number]

export type PageGroupProps = {
  platform: Platform
  pages: readonly PageChoice[]
  picked: ReadonlySet<string>
  /** Why the network does not accept the picked items; null if it does. */
  refusal: string | null
  /** What is left of each page's daily allowance, by page key. */
  allowances: ReadonlyMap<string, PageAllowance>
  onToggle: (page: PageChoice) => void
}

/** The pages of one network, each with a checkbox. */
export function PageGroup({ platform, pages, picked, refusal, allowances, onToggle }: PageGroupProps) {
  const hasManyAccounts = new Set(pages.map((page) => page.socialAccountId)).size > 1
  // While it loads its line is empty, so that no page moves when it is shown.
  const isAllowancePending = allowances.size === 0 && networks[platform].allowance !== undefined
  return (
    <fieldset>
      <legend className={classes(text['label'], styles['legend'])}>{platformNames[platform]}</legend>
      <ul className={layout['panel']}>
        {pages.map((page) => {
          const key = pageKey(page)
          const handle = handleOf(platform, page.username)
          return (
            <li key={key} className={styles['page']} data-picked={picked.has(key)}>
              <Checkbox
                checked={picked.has(key) && refusal === null}
                onChange={() => onToggle(page)}
                disabled={refusal !== null}
              >
                <span className={styles['words']}>
                  <PagePicture platform={platform} name={page.name} picture={page.picture} />
                  <span className={styles['name']}>{page.name}</span>
                  {handle && (
                    <span className={styles['note']}>
                      <HandleText handle={handle} />
                    </span>
                  )}
                  <Note page={page} refusal={refusal} hasManyAccounts={hasManyAccounts} />
                  {refusal === null && (
                    <RemainingAllowance allowance={allowances.get(key)} isPending={isAllowancePending} />
                  )}
                </span>
              </Checkbox>
            </li>
          )
        })}
      </ul>
    </fieldset>
  )
}

function Note({
  page,
  refusal,
  hasManyAccounts,
}: {
  page: PageChoice
  refusal: string | null
  hasManyAccounts: boolean
}) {
  if (refusal !== null) return <span className={styles['note']}>{refusal}</span>
  if (page.needsReconnect) return <span className={styles['warning']}>{socialMessages.reconnect(page.platform)}</span>
  return hasManyAccounts ? <span className={styles['note']}>Through {page.providerName}</span> : null
}

function RemainingAllowance({ allowance, isPending }: { allowance: PageAllowance | undefined; isPending: boolean }) {
  if (!allowance) return isPending ? <span className={styles['note']}>&nbsp;</span> : null
  const wait = waitText(allowance)
  return wait ? (
    <span className={styles['warning']}>{wait}</span>
  ) : (
    <span className={styles['note']}>{allowanceText(allowance)}</span>
  )
}
