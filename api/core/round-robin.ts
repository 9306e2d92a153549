/**
 * Waiting items of several owners. Owners take turns, so that an item does not wait for a hundred items of another owner;
 * those of one owner are taken oldest first.
 */
export function createRoundRobin<T>(max: { waiting: number; waitingPerOwner: number }) {
  /** In the order of the owners' turns. */
  const queues = new Map<string, T[]>()
  let size = 0
  return {
    /** Returns false, and adds nothing, when too many wait. */
    add(owner: string, item: T): boolean {
      const queue = queues.get(owner) ?? []
      if (size >= max.waiting || queue.length >= max.waitingPerOwner) return false
      queues.set(owner, [...queue, item])
      size += 1
      return true
    },
    /** Removes the next item of the first owner who is not `busy`, and moves that owner to the end of the round. */
    take(busy: ReadonlySet<string> = new Set()): T | undefined {
      for (const [owner, [next, ...rest]] of queues) {
        if (busy.has(owner)) continue
        queues.delete(owner)
        if (rest.length > 0) queues.set(owner, rest)
        size -= 1
        return next
      }
      return undefined
    },
    remove(owner: string, item: T): void {
      const rest = (queues.get(owner) ?? []).filter((one) => one !== item)
      if (rest.length > 0) queues.set(owner, rest)
      else queues.delete(owner)
      size -= 1
    },
    /** Removes all items. */
    takeAll(): T[] {
      const items = [...queues.values()].flat()
      queues.clear()
      size = 0
      return items
    },
    owners: (): string[] => [...queues.keys()],
  }
}
