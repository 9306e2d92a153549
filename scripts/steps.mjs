// Plain JavaScript, so that an old Node can run it.

/** When the first command started. Child processes inherit it, so that all times count from there. */
const startedAt = Number(process.env['FLASHSHEET_BEGAN'] ?? Date.now())
process.env['FLASHSHEET_BEGAN'] = String(startedAt)

/** Prints a step with the seconds since the command began. @param {string} text */
export function step(text) {
  console.log(`${((Date.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${text}`)
}
