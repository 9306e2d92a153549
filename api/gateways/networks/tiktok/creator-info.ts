import { tiktokPrivacyLevels } from '@flashsheet/contracts/social/limits'
import type { TiktokCreatorInfo } from '@flashsheet/contracts/social/schema'
import { versionsInUse } from '../../../core/api-versions.ts'
import { NetworkError, type NetworkContext } from '../adapter.ts'
import { record, retryLater, textOf, textsOf } from '../refusal.ts'
import { tiktokBlocked } from './errors.ts'

/**
 * A creator's options, read before composing and again before posting (docs/networks/tiktok.md). For a creator who may
 * not post now it returns `blocked` instead of throwing. Throws NetworkError for any other failure.
 */
export async function fetchCreatorInfo(
  context: NetworkContext<'tiktok'>,
  accessToken: string,
): Promise<TiktokCreatorInfo> {
  let body: Record<string, unknown>
  try {
    const answer = await context.http.call({
      method: 'POST',
      url: `${context.config.hosts.api}/${versionsInUse.tiktok}/post/publish/creator_info/query/`,
      as: { accessToken },
      json: {},
    })
    body = answer.body
  } catch (error) {
    const [code = ''] = error instanceof NetworkError ? error.code.split(' ') : []
    const blocked = tiktokBlocked[code]
    if (blocked === undefined) throw error
    return {
      nickname: '',
      username: '',
      privacyLevels: [],
      commentDisabled: false,
      duetDisabled: false,
      stitchDisabled: false,
      maxVideoSeconds: 0,
      blocked,
    }
  }
  const data = record(body['data']) ?? {}
  const offered = textsOf(data['privacy_level_options'])
  // For example the page of an outage. Read as a creator without options, it would fail the post.
  if (offered.length === 0) throw retryLater('tiktok', 'no_creator_info')
  const seconds = data['max_video_post_duration_sec']
  return {
    nickname: textOf(data['creator_nickname']),
    username: textOf(data['creator_username']),
    privacyLevels: tiktokPrivacyLevels.filter((level) => offered.includes(level)),
    commentDisabled: data['comment_disabled'] === true,
    duetDisabled: data['duet_disabled'] === true,
    stitchDisabled: data['stitch_disabled'] === true,
    maxVideoSeconds: typeof seconds === 'number' ? seconds : 0,
    blocked: null,
  }
}
