/** The child's side of a process pool: answers each task with what `work` makes of it. */
export function serveTasks(work: (task: unknown) => Promise<object>): void {
  // Signals to a whole group (Ctrl-C) are the parent's to answer: it finishes what is under way, and ends this process.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  process.once('disconnect', () => process.exit(0))
  process.on('message', (task) => {
    void work(task).then((answer) => process.send?.(answer))
  })
  process.send?.({ ready: true })
}
