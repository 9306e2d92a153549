/** Preloaded before the product (`startProcess`): reports SIGTERM, so that a test can wait for it. */
process.on('SIGTERM', () => process.stdout.write('asked to stop\n'))
