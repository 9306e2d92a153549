import { trpc } from '../../../lib/trpc.ts'

/** Whether nothing more can be uploaded; unknown counts as room, for the server has the last word. */
export function useLibraryFull(): boolean {
  const { data } = trpc.media.usage.useQuery()
  return data !== undefined && data.count >= data.capacity
}
