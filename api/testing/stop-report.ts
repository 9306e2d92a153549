/** Preloaded before the product (`startProcess`): says that SIGTERM was heard, so that a test can go on from that moment. */
process.on('SIGTERM', () => process.stdout.write('asked to stop\n'))
