import { noLiveness } from '@flashsheet/db/worker-liveness'
import { Readable } from 'node:stream'
import type { System } from '../../core/context.ts'
import { createAdapters } from '../../gateways/networks/adapters.ts'
import type { Send } from '../../gateways/networks/http.ts'
import type { VirtualTime } from './virtual-time.ts'
import { zeros } from './wire.ts'
import type { SimulatedWorker } from './simulated-worker.ts'

/** The system of one worker: its own connections, simulated time, the real adapters over `send`, and files of `bytes` zeros. */
export function workerSystem(
  base: System,
  worker: SimulatedWorker,
  time: VirtualTime,
  bytes: number,
  send: Send,
): System {
  const now = () => new Date(time.now())
  const read = async (_key: string, range?: { start: number; end: number }) =>
    await Promise.resolve(Readable.from(zeros((range?.end ?? bytes - 1) - (range?.start ?? 0) + 1)))
  return {
    ...base,
    // Systems that share hooks wait for each other's calls, and those of a dead worker never end.
    hooks: { ...base.hooks },
    client: worker.client,
    db: worker.client.db,
    now,
    liveness: noLiveness,
    monotonic: {
      now: () => time.now() - worker.sleptMs,
      wall: time.now,
      every: (ms, work) => time.every(worker, ms, work),
    },
    jobs: { ...base.jobs, send: async () => await Promise.resolve() },
    filePool: {
      run: async () => await Promise.resolve({ result: { width: 1080, height: 1080 } }),
      stop: async () => await Promise.resolve(),
    },
    gateways: {
      ...base.gateways,
      storage: {
        ...base.gateways.storage,
        size: async () => await Promise.resolve(bytes),
        read,
        localFile: async () =>
          await Promise.resolve({ file: '/nowhere', [Symbol.asyncDispose]: async () => await Promise.resolve() }),
      },
      networks: createAdapters(base.config, now, send),
    },
  }
}
