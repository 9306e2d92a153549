import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'

/**
 * The HTML of `element`. Throws when a part of it threw or suspended: React leaves such a part to the browser and reports
 * no error, so a page would be built without its content.
 */
export function renderComplete(element: ReactNode): string {
  const html = renderToString(element)
  if (html.includes('<!--$!-->')) throw new Error('a part of the page could not be rendered')
  return html
}
