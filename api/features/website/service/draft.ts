import type { DraftSite } from '@flashsheet/contracts/website/schema'
import type { StudioCtx } from '../../../core/context.ts'
import { publicSiteScope } from '../../../core/scope.ts'
import { findSite } from '../queries/sites.ts'
import { siteImageId } from '../view.ts'
import { siteContent, type SiteContent } from './public-site.ts'
import { newSite, withInput } from './site.ts'

/** The public content of the site if the draft were saved now. Ignores pictures that are not the caller's. */
export async function draftContent(ctx: StudioCtx, draft: DraftSite): Promise<SiteContent> {
  const stored = (await findSite(ctx.db, ctx.owner)) ?? newSite(ctx)
  const row = withInput(
    stored,
    {
      ...draft,
      personalInfo: definedFields(draft.personalInfo),
      address: definedFields(draft.address),
      branding: definedFields(draft.branding),
    },
    (url) => siteImageId(url) ?? null,
  )
  // A preview shows what a visitor would see.
  return await siteContent(ctx, publicSiteScope(ctx.owner), row)
}

function definedFields<T extends Record<string, string | undefined>>(fields: T): { [K in keyof T]?: string } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: string
  }
}
