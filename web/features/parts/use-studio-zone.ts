import { trpc } from '../../lib/trpc.ts'

/** The studio's time zone. It is read again after a minute, since it can be changed on another device. */
export const useStudioZone = () => trpc.auth.studioZone.useQuery(undefined, { staleTime: 60_000 })
