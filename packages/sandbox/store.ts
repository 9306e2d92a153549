import * as fs from 'node:fs'
import * as path from 'node:path'
import { trackRoot, type Change } from './store-track.ts'

export type Store = ReturnType<typeof openStore>

type Root = { target: Record<string, unknown>; live: object; initial: () => object }

const compactAtBytes = 64 * 1024 * 1024

/**
 * The sandbox's state: named JSON roots that are live objects, stored in the append-only file `state.jsonl` of `folder`.
 * Each line is `[root, collection, key, value]`; a missing value is a
 * deletion and a null key the whole collection. The last line about a key wins, and a line truncated by a crash is
 * dropped.
 */
export function openStore(folder: string) {
  fs.mkdirSync(folder, { recursive: true })
  const file = path.join(folder, 'state.jsonl')
  const loaded = load(file)
  const roots = new Map<string, Root>()
  /** What changed since the last flush, in the order of the first change. */
  const dirty = new Map<string, { name: string } & Change>()
  let handle = 0
  let appendedBytes = 0
  let closed = false
  let timer: NodeJS.Immediate | undefined

  const allRoots = (): Map<string, Record<string, unknown>> => {
    const all = new Map(loaded)
    for (const [name, root] of roots) all.set(name, root.target)
    return all
  }

  /** Rewrites the file with one line per entity, so that it does not grow without bound. */
  const compact = (): void => {
    if (handle) fs.closeSync(handle)
    const next = `${file}.next`
    const out = fs.openSync(next, 'w')
    for (const [name, root] of allRoots()) {
      const lines: string[] = []
      for (const [collection, value] of Object.entries(root)) {
        if (!holdsEntities(value)) lines.push(line(name, collection, null, value))
        else {
          lines.push(line(name, collection, null, Array.isArray(value) ? [] : {}))
          for (const [key, entity] of Object.entries(value)) lines.push(line(name, collection, key, entity))
        }
      }
      if (lines.length) fs.writeSync(out, lines.join(''))
    }
    fs.closeSync(out)
    fs.renameSync(next, file)
    handle = fs.openSync(file, 'a')
    appendedBytes = 0
    dirty.clear()
  }

  const markDirty = (name: string, change: Change): void => {
    dirty.set(JSON.stringify([name, change.collection, change.key]), { name, ...change })
    timer ??= setImmediate(flush)
  }

  /** Writes the changes since the last call. Returns once the operating system has them, so that a kill loses nothing. */
  const flush = (): void => {
    clearImmediate(timer)
    timer = undefined
    if (!dirty.size || closed) return
    const lines = dirty.values().map(({ name, collection, key }) => {
      const value = roots.get(name)?.target[collection]
      const isWhole = key === null || !holdsEntities(value)
      return isWhole ? line(name, collection, null, value) : line(name, collection, key, value[key])
    })
    const text = [...lines].join('')
    dirty.clear()
    fs.writeSync(handle, text)
    appendedBytes += text.length
    if (appendedBytes > compactAtBytes) compact()
  }

  compact()
  return {
    /** The live object called `name`, created by `initial` when there is none. It remains the same object after `reset`. */
    root<T extends object>(name: string, initial: () => T): T {
      const known = roots.get(name)
      if (known) return known.live as T
      const target = loaded.get(name) ?? (initial() as Record<string, unknown>)
      const isNew = !loaded.has(name)
      loaded.delete(name)
      const live = trackRoot(target, (change) => markDirty(name, change))
      roots.set(name, { target, live, initial })
      const added = isNew ? Object.keys(target) : addMissing(target, initial() as Record<string, unknown>)
      for (const collection of added) markDirty(name, { collection, key: null })
      return live as T
    },
    flush,
    /** Deletes everything and creates each root again by its `initial`. */
    reset() {
      loaded.clear()
      for (const root of roots.values()) {
        for (const key of Object.keys(root.target)) delete root.target[key]
        Object.assign(root.target, root.initial())
      }
      compact()
    },
    close() {
      if (closed) return
      flush()
      closed = true
      fs.closeSync(handle)
    },
  }
}

/** Adds the collections that an older state lacks; returns their names. */
function addMissing(target: Record<string, unknown>, initial: Record<string, unknown>): string[] {
  const missing = Object.keys(initial).filter((collection) => !(collection in target))
  for (const collection of missing) target[collection] = initial[collection]
  return missing
}

function holdsEntities(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function line(root: string, collection: string, key: string | null, value: unknown): string {
  const cells = value === undefined ? [root, collection, key] : [root, collection, key, value]
  return `${JSON.stringify(cells)}\n`
}

function load(file: string): Map<string, Record<string, unknown>> {
  const roots = new Map<string, Record<string, unknown>>()
  if (!fs.existsSync(file)) return roots
  for (const text of fs.readFileSync(file, 'utf8').split('\n')) {
    if (!text) continue
    let cells: [string, string, string | null, unknown?]
    try {
      cells = JSON.parse(text)
    } catch {
      break
    }
    const [name, collection, key, value] = cells
    const root = roots.get(name) ?? {}
    roots.set(name, root)
    if (key === null) {
      if (cells.length === 3) delete root[collection]
      else root[collection] = value
    } else {
      const entities = (root[collection] ??= {}) as Record<string, unknown>
      if (cells.length === 4) entities[key] = value
      else delete entities[key]
    }
  }
  return roots
}
