import { randomBytes, randomInt } from 'node:crypto'
import type { Blobs } from './blobs.ts'
import type { StoredFault } from './faults.ts'
import type { Store } from './store.ts'
import type { PublishedPost, SandboxContext } from './context.ts'

/** The stored state of the control API. */
export type ControlState = { faults: StoredFault[]; limits: { quotas?: boolean; processingMs?: number } }

export function controlState(store: Store): ControlState {
  return store.root<ControlState>('control', () => ({ faults: [], limits: {} }))
}

/** Builds the context that all service modules share. `processingMs` holds until `POST /_control/limits` changes it. */
export function makeContext(
  store: Store,
  blobs: Blobs,
  url: string,
  processingMs: number,
  now: () => number = Date.now,
): SandboxContext {
  const published = () => store.root<{ posts: Record<string, PublishedPost> }>('world', () => ({ posts: {} }))
  const issued = new Set<string>()
  const limits = () => controlState(store).limits
  return {
    url,
    settings: {
      get quotas() {
        return limits().quotas ?? true
      },
      set quotas(value) {
        limits().quotas = value
      },
      get processingMs() {
        return limits().processingMs ?? processingMs
      },
      set processingMs(value) {
        limits().processingMs = value
      },
    },
    now,
    state: (service, initial) => store.root(service, initial),
    changed: () => store.flush(),
    storeBlob: (source) => blobs.store(source),
    blobPath: (blob) => blobs.path(blob),
    inspect: (blob) => blobs.inspect(blob),
    parts: (name) => blobs.parts(name),
    publish(post) {
      published().posts[`${post.platform} ${post.id}`] = post
    },
    unpublish(platform, id) {
      delete published().posts[`${platform} ${id}`]
    },
    posts: () => Object.values(published().posts),
    digits(length) {
      for (;;) {
        let id = String(randomInt(1, 10))
        while (id.length < length) id += String(randomInt(0, 10))
        if (issued.has(id)) continue
        issued.add(id)
        return id
      }
    },
    secret: (bytes = 24) => randomBytes(bytes).toString('base64url'),
  }
}
