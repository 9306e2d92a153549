import { Site } from '@flashsheet/contracts/website/schema'
import { z } from 'zod'
import { screenUrl, toolFor, type Tool } from '../../core/tools.ts'
import { getSite } from './service/site.ts'

const readingTool = toolFor('studio', 'site:read', 'reads')

export const websiteTools: readonly Tool[] = [
  readingTool({
    name: 'get_site',
    title: 'Read the website',
    description: 'The artist’s website as the builder has it: words, address, colours and gallery.',
    input: z.object({}),
    answer: z.object({ site: Site, link: z.string() }),
    run: async (ctx) => ({ site: await getSite(ctx), link: screenUrl(ctx, '/website-builder') }),
  }),
]
