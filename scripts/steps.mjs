// Plain JavaScript, so that an old Node can run it.

/** When the first command began; passed on to child processes, so that all times count from there. */
const began = Number(process.env['FLASHSHEET_BEGAN'] ?? Date.now())
process.env['FLASHSHEET_BEGAN'] = String(began)

/** Prints a step with the seconds since the command began. @param {string} text */
export function step(text) {
  console.log(`${((Date.now() - began) / 1000).toFixed(1).padStart(6)} s  ${text}`)
}
