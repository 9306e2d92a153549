import type { SystemHealth } from '@flashsheet/contracts/admin'

/** When Meta ends a version of its Graph, as it announced it (platform-apis: versions). */
const metaEnds: Record<string, string> = { 'v21.0': '2027-01-21', 'v22.0': '2027-05-20', 'v23.0': '2027-10-08', 'v24.0': '2028-02-18', 'v25.0': '2028-07-29' }

/** LinkedIn keeps a version for a year at least from its month on: `202609` lives to 2027-09-01. */
function linkedinEnd(version: string): string | null {
  const [, year, month] = /^(\d{4})(\d{2})$/.exec(version) ?? []
  return year && month ? `${Number(year) + 1}-${month}-01` : null
}

/** The versions of outside services that this installation speaks, and when each ends; null: no end is announced. */
export function versionsOf(settings: { metaGraph: string; linkedin: string; stripe: string | undefined }): SystemHealth['versions'] {
  return [
    { name: 'Meta Graph', version: settings.metaGraph, ends: metaEnds[settings.metaGraph] ?? null },
    { name: 'LinkedIn', version: settings.linkedin, ends: linkedinEnd(settings.linkedin) },
    { name: 'TikTok', version: 'v2', ends: null },
    { name: 'YouTube', version: 'v3', ends: null },
    ...(settings.stripe === undefined ? [] : [{ name: 'Stripe', version: settings.stripe, ends: null }]),
  ]
}
