import type { Platform } from '@flashsheet/contracts/networks'
import type { Evidence } from '../api/gateways/networks/adapter.ts'
import { facebookEvidence } from '../api/gateways/networks/facebook/evidence.ts'
import { instagramEvidence } from '../api/gateways/networks/instagram/evidence.ts'
import { linkedinEvidence } from '../api/gateways/networks/linkedin/evidence.ts'
import { tiktokEvidence } from '../api/gateways/networks/tiktok/evidence.ts'
import { youtubeEvidence } from '../api/gateways/networks/youtube/evidence.ts'

const declared: Record<Platform, readonly Evidence[]> = {
  facebook: Object.values(facebookEvidence),
  instagram: instagramEvidence,
  tiktok: [tiktokEvidence],
  youtube: [youtubeEvidence],
  linkedin: linkedinEvidence,
}

/** A network's tables, one per kind of post, from its adapter's declaration. */
export function evidenceTables(platform: Platform): string {
  return declared[platform].map(tableOf).join('\n\n')
}

function tableOf(evidence: Evidence): string {
  const rows: [string, string][] = [
    ['Irreversible call', evidence.irreversibleCall],
    ['Ids known before it', evidence.knownBefore],
    ['Proof that it is there', evidence.presence],
    ['Proof that it is not', evidence.proofOfAbsence],
    ['Inconclusive', evidence.inconclusive ?? 'none: each lookup is conclusive'],
    ['Grace period after an unanswered call', `${evidence.gracePeriodMs / 60_000} min, and two lookups a minute apart`],
    ['After the grace period', evidence.afterGracePeriod],
  ]
  return [
    `### ${evidence.kind}`,
    '',
    '| | |',
    '|---|---|',
    ...rows.map(([name, value]) => `| ${name} | ${value.replaceAll('|', '\\|')} |`),
  ].join('\n')
}
