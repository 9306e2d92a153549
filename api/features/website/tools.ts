import { Site } from '@flashsheet/contracts/website/schema'
import { z } from 'zod'
import { screenUrl, tool, type Tool } from '../../core/tools.ts'
import { getSite } from './service/site.ts'

export const websiteTools: readonly Tool[] = [
  tool({
    name: 'get_site',
    title: 'Read the website',
    description: 'The artist’s website as the builder has it: words, address, colours and gallery.',
    guard: 'studio',
    key: 'site:read',
    effect: 'reads',
    input: z.object({}),
    answer: z.object({ site: Site, link: z.string() }),
    run: async (ctx) => ({ site: await getSite(ctx), link: screenUrl(ctx, '/website-builder') }),
  }),
]
