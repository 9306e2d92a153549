/** The child's side of a process pool (`process-pool.ts`): answers each task with the result of `work`. */
export function serveTasks(work: (task: unknown) => Promise<object>): void {
  // Ignores signals to the process group (Ctrl-C): the parent first finishes the tasks, then kills this process.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  process.once('disconnect', () => process.exit(0))
  process.on('message', (task) => {
    void work(task).then((answer) => process.send?.(answer))
  })
  process.send?.({ ready: true })
}
