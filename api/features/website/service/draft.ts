import type { DraftSite } from '@flashsheet/contracts/website/schema'
import type { StudioCtx } from '../../../core/context.ts'
import { publicSiteScope } from '../../../core/scope.ts'
import { findSite, type SiteRow } from '../queries/sites.ts'
import { paletteColors } from '../rules.ts'
import { siteImageId } from '../view.ts'
import { siteContent, type SiteContent } from './public-site.ts'
import { newSite } from './site.ts'

/** What the public would see if the caller saved this now. Pictures that are not the caller's are left out. */
export async function draftContent(ctx: StudioCtx, draft: DraftSite): Promise<SiteContent> {
  const stored = (await findSite(ctx.db, ctx.owner)) ?? newSite(ctx)
  const { images } = draft
  const imageOf = (image: { url: string } | null) => (image && siteImageId(image.url)) ?? null
  const row: SiteRow = {
    ...stored,
    ...known(draft.personalInfo),
    ...known(draft.address),
    ...draft.design,
    ...(draft.links && { hiddenLinks: draft.links.hidden }),
    ...(draft.sections && { sections: draft.sections }),
    ...paletteColors(stored, draft.design),
    ...known(draft.branding),
    ...(images && {
      logoImageId: imageOf(images.logoImage),
      backgroundImageId: imageOf(images.backgroundImage),
      profileImageId: imageOf(images.profileImage),
    }),
  }
  // An artist looking at their own site sees what a visitor would.
  return await siteContent(ctx, publicSiteScope(ctx.owner), row)
}

/** Only what was said. */
function known<T extends Record<string, string | undefined>>(fields: T): { [K in keyof T]?: string } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: string
  }
}
