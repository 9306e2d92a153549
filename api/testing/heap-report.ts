import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Preloaded before the product (`startProcess`): on SIGUSR2 the process collects garbage and writes its memory use. */
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
process.on('SIGUSR2', () => {
  // The second collection frees objects that the finalizers of the first one released.
  collect()
  setImmediate(() => {
    collect()
    const { heapUsed, external } = process.memoryUsage()
    process.stdout.write(`heap after collection: ${heapUsed} and ${external} outside\n`)
  })
})
