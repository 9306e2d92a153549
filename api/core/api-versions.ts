/**
 * All versions of outside APIs that the product uses. The first three can be changed by settings (`core/config.ts`); the
 * others are part of the paths.
 */
export const versionsInUse = {
  metaGraph: 'v26.0',
  linkedin: '202609',
  stripe: '2026-10-28.endive',
  tiktok: 'v2',
  youtube: 'v3',
  places: 'v1',
} as const

/** Announced ends of Meta's Graph versions; the newest has none yet. */
const metaEnds: Record<string, string> = {
  'v20.0': '2026-09-24',
  'v21.0': '2027-01-21',
  'v22.0': '2027-05-20',
  'v23.0': '2027-10-08',
  'v24.0': '2028-02-18',
  'v25.0': '2028-07-29',
}
/** LinkedIn's announced ends. Any other version works for at least a year, to the middle of its month. */
const linkedinEnds: Record<string, string> = {
  '202511': '2026-11-16',
  '202601': '2027-01-15',
  '202602': '2027-02-15',
  '202603': '2027-03-16',
}

function linkedinEnd(version: string): string | null {
  const [, year, month] = /^(\d{4})(\d{2})$/.exec(version) ?? []
  return linkedinEnds[version] ?? (year && month ? `${Number(year) + 1}-${month}-15` : null)
}

/** A version in use. `ends`: the day it is switched off, null if none is announced. `setting`: the setting that changes it. */
type ApiVersion = { name: string; version: string; ends: string | null; setting: string | null }

export function apiVersions(set: { metaGraph: string; linkedin: string; stripe: string | undefined }): ApiVersion[] {
  return [
    {
      name: 'Meta Graph',
      version: set.metaGraph,
      ends: metaEnds[set.metaGraph] ?? null,
      setting: 'META_GRAPH_VERSION',
    },
    { name: 'LinkedIn', version: set.linkedin, ends: linkedinEnd(set.linkedin), setting: 'LINKEDIN_VERSION' },
    { name: 'TikTok', version: versionsInUse.tiktok, ends: null, setting: null },
    { name: 'YouTube', version: versionsInUse.youtube, ends: null, setting: null },
    { name: 'Google Places', version: versionsInUse.places, ends: null, setting: null },
    ...(set.stripe === undefined
      ? []
      : [{ name: 'Stripe', version: set.stripe, ends: null, setting: 'STRIPE_API_VERSION' }]),
  ]
}

const day = 86_400_000
/** Warnings begin this many days before the end. */
const warnDays = 60

/** A warning for each version that has ended or will within `warnDays`. */
export function endingVersions(versions: readonly ApiVersion[], now: Date): string[] {
  return versions.flatMap(({ name, version, ends, setting }) => {
    const days = ends === null ? Infinity : Math.ceil((Date.parse(`${ends}T00:00:00Z`) - now.getTime()) / day)
    if (days > warnDays) return []
    const when = days > 0 ? `ends on ${ends}, in ${days} ${days === 1 ? 'day' : 'days'}` : `ended on ${ends}`
    return [
      `${name} ${version} ${when}. Read what a newer one changes${setting === null ? '' : `, then set ${setting}`} and api/core/api-versions.ts.`,
    ]
  })
}
