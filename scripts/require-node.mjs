// Plain JavaScript, so that an old Node can run it: pnpm runs a script even when the install before it failed.
const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(
    `Flashsheet runs on Node 24, which is installed with its packages, but this is Node ${process.version}: ` +
      'the install above did not finish. Check the network and try again.',
  )
  process.exit(1)
}
