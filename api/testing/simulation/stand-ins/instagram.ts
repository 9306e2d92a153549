import { textOf } from '../../../gateways/networks/refusal.ts'
import {
  graphError,
  id,
  type StandInRequest,
  type StandInAnswer,
  type StandInContext,
  type StandIn,
} from '../stand-in.ts'

type Container = { id: string; caption: string; at: number; media: string; publishedAt: number; isLost: boolean }

/** Containers that are published once (docs/networks/instagram.md). */
export function instagramStandIn(context: StandInContext): StandIn {
  const containers: Container[] = []
  const { now, delays, pageId } = context
  const published = () => containers.filter((one) => one.publishedAt > 0)

  const publish = (request: StandInRequest): StandInAnswer => {
    const container = containers.find((one) => one.id === request.fields['creation_id'])
    if (!container) return graphError(400, 24, 2207008)
    // A container that is not ready, or already published, cannot be published.
    if (container.publishedAt > 0 || container.at + delays.workMs > now()) return graphError(400, 9007, 2207027)
    container.publishedAt = now()
    container.media = `18${id()}`
    return { status: 200, json: { id: container.media } }
  }

  const code = (container: Container): string => {
    if (container.publishedAt > 0) return container.publishedAt <= now() - delays.statusMs ? 'PUBLISHED' : 'FINISHED'
    return container.at + delays.workMs <= now() ? 'FINISHED' : 'IN_PROGRESS'
  }

  return {
    answer(request) {
      if (!context.isValidToken(request.token)) return graphError(401, 190, 463)
      const [, , first = '', edge = ''] = request.path.split('/')
      if (edge === 'content_publishing_limit')
        return {
          status: 200,
          json: { data: [{ quota_usage: 0, config: { quota_total: 100, quota_duration: 86_400 } }] },
        }
      if (edge === 'media_publish') return publish(request)
      if (edge === 'media' && request.method === 'POST') {
        const container = {
          id: `17${id()}`,
          caption: textOf(request.fields['caption']),
          at: now(),
          media: '',
          publishedAt: 0,
          isLost: false,
        }
        containers.push(container)
        return { status: 200, json: { id: container.id } }
      }
      if (edge === 'media') {
        const data = published()
          .filter((one) => one.publishedAt <= now() - delays.listMs)
          .map((one) => ({ id: one.media, caption: one.caption, timestamp: new Date(one.publishedAt).toISOString() }))
        return { status: 200, json: { data } }
      }
      const container = containers.find((one) => one.id === first)
      if (container)
        return container.isLost
          ? graphError(400, 100, 33)
          : { status: 200, json: { id: container.id, status_code: code(container), status: 'x' } }
      if (published().some((one) => one.media === first))
        return { status: 200, json: { id: first, permalink: `https://www.instagram.com/p/${first}/` } }
      return first === pageId || first === 'me'
        ? { status: 200, json: { id: pageId, user_id: pageId } }
        : graphError(400, 100, 33)
    },
    postCount: () => published().length,
    isListed: () =>
      published().some(
        (one) =>
          (!one.isLost && one.publishedAt <= now() - delays.statusMs) || one.publishedAt <= now() - delays.listMs,
      ),
    polledId: (request) =>
      request.method === 'GET' ? containers.find((one) => request.path.endsWith(`/${one.id}`))?.id : undefined,
    loseUploads: () => {
      for (const container of containers) container.isLost = true
    },
  }
}
