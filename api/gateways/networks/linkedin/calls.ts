import type { NetworkContext, PublishJob } from '../adapter.ts'
import { bearer, record } from '../refusal.ts'

/** Headers of every call below `/rest/`. */
export function linkedinHeaders(accessToken: string, version: string): Record<string, string> {
  return { ...bearer(accessToken), 'linkedin-version': version, 'x-restli-protocol-version': '2.0.0' }
}

export type LinkedinCalls = ReturnType<typeof linkedinCalls>

/** The REST calls of posting, with their base address and headers (docs/networks/linkedin.md). */
export function linkedinCalls(context: NetworkContext<'linkedin'>) {
  const { config, http, versions } = context
  const rest = `${config.hosts.api}/rest`
  const headers = (job: PublishJob) => linkedinHeaders(job.accessToken, versions.linkedin)
  return {
    http,
    rest,
    headers,
    owner: (job: PublishJob) => `urn:li:organization:${job.pageId}`,
    /** Calls an action and returns its `value`. */
    async act(job: PublishJob, path: string, json: unknown): Promise<Record<string, unknown>> {
      const answer = await http.call({
        method: 'POST',
        url: `${rest}${path}`,
        headers: headers(job),
        json,
        signal: job.signal,
      })
      return record(record(answer.body)?.['value']) ?? {}
    },
  }
}
