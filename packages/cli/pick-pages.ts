import type { components } from '@flashsheet/api-client'
import { misused } from './terminal.ts'

type Account = components['schemas']['SocialAccount']
export type Target = { platform: Account['platform']; socialAccountId: string; pageId: string; name: string }

/**
 * The pages that `--to` names: a network, or `network:page` by the page's name or id where there are several. Throws CommandFailed
 * for what is not connected, or could be several.
 */
export function pickPages(accounts: readonly Account[], to: string): Target[] {
  const pages = accounts.flatMap(({ _id, platform, pages: own }) =>
    own.map(({ pageId, name }) => ({ platform, socialAccountId: _id, pageId, name })),
  )
  return to
    .split(',')
    .map((text) => text.trim())
    .filter(Boolean)
    .map((asked) => {
      const at = asked.indexOf(':')
      const network = (at < 0 ? asked : asked.slice(0, at)).toLowerCase()
      const page = at < 0 ? undefined : asked.slice(at + 1).toLowerCase()
      const fitting = pages.filter(
        ({ platform, pageId, name }) =>
          platform === network && (page === undefined || [pageId, name.toLowerCase()].includes(page)),
      )
      const [first, ...others] = fitting
      if (!first) throw misused(`Nothing connected is called ${asked}.`)
      if (others.length === 0) return first
      throw misused(
        `${asked} could be several: ${fitting.map(({ platform, name }) => `${platform}:${name}`).join(', ')}.`,
      )
    })
}
