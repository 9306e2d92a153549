import type { PlanId } from '@flashsheet/contracts/subscription'

/** More made-up artists, so that staff have something to look at. They pay, leave and come back at the sandbox like everybody. */
export type CrowdEntry = {
  name: string
  email: string
  timeZone: string
  plan: PlanId | null
  /** What became of the subscription: it goes on, it ends with the paid period, it has ended, or it ended and began again. */
  fate: 'goes on' | 'leaving' | 'left' | 'came back'
}

export const crowd: readonly CrowdEntry[] = [
  { name: 'Ines Farrow', email: 'ines@flashsheet.example', timeZone: 'America/Denver', plan: 'complete-shading', fate: 'goes on' },
  { name: 'Theo Lindqvist', email: 'theo@flashsheet.example', timeZone: 'America/Chicago', plan: 'social-line-work', fate: 'goes on' },
  { name: 'Amara Diallo', email: 'amara@flashsheet.example', timeZone: 'America/New_York', plan: 'complete-shading', fate: 'came back' },
  { name: 'Kenji Watanabe', email: 'kenji@flashsheet.example', timeZone: 'Pacific/Honolulu', plan: 'social-line-work', fate: 'leaving' },
  { name: 'Rosa Delgado', email: 'rosa@flashsheet.example', timeZone: 'America/Phoenix', plan: 'complete-shading', fate: 'goes on' },
  { name: 'Piet Vandermeer', email: 'piet@flashsheet.example', timeZone: 'America/New_York', plan: 'social-line-work', fate: 'left' },
  { name: 'Wren Ashby', email: 'wren@flashsheet.example', timeZone: 'America/Los_Angeles', plan: 'complete-shading', fate: 'goes on' },
  { name: 'Tomasz Zielinski', email: 'tomasz@flashsheet.example', timeZone: 'America/Chicago', plan: null, fate: 'goes on' },
]
