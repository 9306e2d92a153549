import { type Platform, platforms } from '@flashsheet/contracts/networks'
import { readFileSync, writeFileSync } from 'node:fs'
import { facebookEvidence } from '../api/gateways/networks/facebook/evidence.ts'
import { instagramEvidence } from '../api/gateways/networks/instagram/evidence.ts'
import { linkedinEvidence } from '../api/gateways/networks/linkedin/evidence.ts'
import { tiktokEvidence } from '../api/gateways/networks/tiktok/evidence.ts'
import { youtubeEvidence } from '../api/gateways/networks/youtube/evidence.ts'
import type { Evidence } from '../api/gateways/networks/adapter.ts'

const declared: Record<Platform, readonly Evidence[]> = {
  facebook: Object.values(facebookEvidence),
  instagram: instagramEvidence,
  tiktok: [tiktokEvidence],
  youtube: [youtubeEvidence],
  linkedin: linkedinEvidence,
}

const [begins, ends] = ['<!-- evidence: made by `node scripts/evidence-tables.ts` -->', '<!-- /evidence -->']
const title = '## Evidence that a post is there'

export const pathOf = (platform: Platform): string =>
  new URL(`../docs/networks/${platform}.md`, import.meta.url).pathname

/** A network's tables, one per kind of post, from its adapter's declaration. */
export function tablesOf(platform: Platform): string {
  return declared[platform].map(tableOf).join('\n\n')
}

function tableOf(evidence: Evidence): string {
  const rows: [string, string][] = [
    ['Irreversible call', evidence.irreversibleCall],
    ['Ids known before it', evidence.knownBefore],
    ['Proof that it is there', evidence.presence],
    ['Proof that it is not', evidence.proofOfAbsence],
    ['Silence, which proves nothing', evidence.silence ?? 'none: each look is clear'],
    ['Patience after an unanswered call', `${evidence.patienceMs / 60_000} min, and two looks a minute apart`],
    ['After silence', evidence.afterSilence],
  ]
  return [
    `### ${evidence.kind}`,
    '',
    '| | |',
    '|---|---|',
    ...rows.map(([name, value]) => `| ${name} | ${value.replaceAll('|', '\\|')} |`),
  ].join('\n')
}

/** A page of docs/networks with up-to-date tables. */
export function withTables(page: string, platform: Platform): string {
  const block = `${begins}\n\n${tablesOf(platform)}\n\n${ends}`
  const from = page.indexOf(begins)
  if (from < 0) return `${page.trimEnd()}\n\n${title}\n\n${block}\n`
  const to = page.indexOf(ends, from)
  if (to < 0) throw new Error(`${platform}.md has no end marker of its tables`)
  return page.slice(0, from) + block + page.slice(to + ends.length)
}

if (import.meta.main) {
  for (const platform of platforms)
    writeFileSync(pathOf(platform), withTables(readFileSync(pathOf(platform), 'utf8'), platform))
}
