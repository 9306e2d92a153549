// Plain JavaScript, so that an old Node can run it.

/** When the first command began: handed on to what it starts, so that all of them count from there. */
const began = Number(process.env['FLASHSHEET_BEGAN'] ?? Date.now())
process.env['FLASHSHEET_BEGAN'] = String(began)

/**
 * Says what is going on, with the seconds since the command began.
 * @param {string} text
 */
export function step(text) {
  console.log(`${((Date.now() - began) / 1000).toFixed(1).padStart(6)} s  ${text}`)
}
