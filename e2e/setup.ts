import { chromium } from '../scripts/chromium.ts'

/** Once for all journeys: unpacks the browser, which every worker then starts for itself (`launch` of `browser.ts`). */
export default async function setup(): Promise<void> {
  await chromium()
}
