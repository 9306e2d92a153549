import type { components } from '@flashsheet/api-client'
import { misused } from './terminal.ts'

type Account = components['schemas']['SocialAccount']
export type Target = { platform: Account['platform']; socialAccountId: string; pageId: string; name: string }

/**
 * The pages that `--to` names: each a network, or `network:page` with the page's name or id. Throws CommandFailed if a name
 * matches no connected page, or several, or if two match the same page.
 */
export function pickPages(accounts: readonly Account[], to: string): Target[] {
  const pages = accounts.flatMap(({ _id, platform, pages: own }) =>
    own.map(({ pageId, name }) => ({ platform, socialAccountId: _id, pageId, name })),
  )
  const targets = to
    .split(',')
    .map((text) => text.trim())
    .filter(Boolean)
    .map((named) => {
      const colon = named.indexOf(':')
      const network = (colon < 0 ? named : named.slice(0, colon)).toLowerCase()
      const page = colon < 0 ? undefined : named.slice(colon + 1)
      const matches = pages.filter(
        ({ platform, pageId, name }) =>
          platform === network && (page === undefined || pageId === page || name.toLowerCase() === page.toLowerCase()),
      )
      const [first, ...others] = matches
      if (!first) throw misused(`Nothing connected is called ${named}.`)
      if (others.length === 0) return first
      throw misused(
        `${named} could be several: ${matches.map(({ platform, name }) => `${platform}:${name}`).join(', ')}.`,
      )
    })
  if (new Set(targets).size < targets.length) throw misused('A page was picked twice.')
  return targets
}
