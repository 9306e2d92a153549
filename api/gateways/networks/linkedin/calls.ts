import type { NetworkContext, PublishJob } from '../adapter.ts'
import type { NetworkRequest } from '../http.ts'
import { record } from '../refusal.ts'

export type LinkedinCalls = ReturnType<typeof linkedinCalls>

/** The REST calls, with their base address and headers (docs/networks/linkedin.md). */
export function linkedinCalls({ config, http, versions }: NetworkContext<'linkedin'>) {
  const call = async (as: NetworkRequest['as'] & {}, path: string, request: Omit<NetworkRequest, 'url' | 'as'>) =>
    await http.call({
      ...request,
      url: `${config.hosts.api}/rest${path}`,
      headers: { 'linkedin-version': versions.linkedin, 'x-restli-protocol-version': '2.0.0', ...request.headers },
      as,
    })
  return {
    http,
    call,
    owner: (job: PublishJob) => `urn:li:organization:${job.pageId}`,
    /** Calls an action and returns its `value`. */
    async act(job: PublishJob, path: string, json: unknown): Promise<Record<string, unknown>> {
      const { body } = await call(job, path, { method: 'POST', json })
      return record(body['value']) ?? {}
    },
  }
}
