import { tiktokLinks } from '../draft/tiktok-rules.ts'

/** The declaration that TikTok requires before a post, in TikTok's words. */
export function TiktokConsent({ branded }: { branded: boolean }) {
  const music = (
    <a href={tiktokLinks.music} target="_blank" rel="noreferrer">
      Music Usage Confirmation
    </a>
  )
  if (!branded) return <p>By posting, you agree to TikTok's {music}.</p>
  return (
    <p>
      By posting, you agree to TikTok's{' '}
      <a href={tiktokLinks.branded} target="_blank" rel="noreferrer">
        Branded Content Policy
      </a>{' '}
      and {music}.
    </p>
  )
}
