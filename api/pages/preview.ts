import { DraftSite } from '@flashsheet/contracts/website/schema'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { readBody } from '../core/body.ts'
import { invalid } from '../core/errors.ts'
import { jsonBytes, rawRow, type HttpContext, type RestRow } from '../core/rest.ts'
import { draftContent } from '../features/website/service/draft.ts'
import { homePage } from './home.ts'
import { headersOf } from './rendered.ts'

export const previewPath = '/api/websitebuilder/preview'

/**
 * The home page as it would be after a save, for the frame beside the builder's form. A form POST loads it, so that the
 * page has its own Content-Security-Policy: a page built in the browser (srcdoc) would inherit the app's.
 */
export const previewRow: RestRow = rawRow(`POST ${previewPath}`, 'studio', 'site:write', {
  takes: 'form',
  answer: { status: 200, is: 'html' },
  run: async (ctx, c) => {
    const page = homePage(await draftContent(ctx, await readDraft(c)))
    return c.body(page.body, 200, {
      ...headersOf(page, { framedBy: "'self'" }),
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
    })
  },
})

async function readDraft(c: HttpContext): Promise<DraftSite> {
  const body = await readBody(c, jsonBytes)
  try {
    const text = new URLSearchParams(body.toString('utf8')).get('site') ?? ''
    return DraftSite.parse(JSON.parse(text.replaceAll('\\u0000', '')))
  } catch {
    throw invalid(errorMessages.malformed)
  }
}
