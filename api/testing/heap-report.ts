import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Imported before the product (`startProcess`): on SIGUSR2 the process collects its garbage and writes what is left. */
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
process.on('SIGUSR2', () => {
  // What a first collection lets go of by finalizers is collected by a second.
  collect()
  setImmediate(() => {
    collect()
    const { heapUsed, external } = process.memoryUsage()
    process.stdout.write(`heap after collection: ${heapUsed} and ${external} outside\n`)
  })
})
