import axe from 'axe-core'

/** The axe rules that an element violates, each with the HTML of the elements at fault. */
export async function accessibilityFaults(within: Element): Promise<string[]> {
  const { violations } = await axe.run(within, { resultTypes: ['violations'] })
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 140)).join(' | ')}`)
}
