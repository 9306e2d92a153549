/** The child's side of a process pool (`process-pool.ts`): answers each task with the result of `work`. */
export function serveTasks(work: (task: unknown) => Promise<object>): void {
  // Signals to the process group (Ctrl-C) are ignored here: the parent finishes the tasks under way, then ends this process.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  process.once('disconnect', () => process.exit(0))
  process.on('message', (task) => {
    void work(task).then((answer) => process.send?.(answer))
  })
  process.send?.({ ready: true })
}
