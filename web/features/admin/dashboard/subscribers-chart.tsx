import type { Growth } from '@flashsheet/contracts/admin/schema'
import { scalePoint } from '@visx/scale'
import { AreaClosed, LinePath } from '@visx/shape'
import { amountScale, ChartAxes } from './chart-axes.tsx'
import { ChartFrame, chartMargin, monthTick } from './chart-frame.tsx'
import styles from './chart.module.css'
import { countWords } from '../parts/words.ts'

export function SubscribersChart({ months }: { months: Growth['months'] }) {
  const top = Math.max(5, ...months.map((one) => one.subscribers))
  return (
    <ChartFrame
      says={`Subscribers by month, ${months.at(-1)?.subscribers ?? 0} now; every number is in the table.`}
      legend={<span>Subscribers at the end of each month</span>}
    >
      {(width) => {
        const x = scalePoint({
          domain: months.map((one) => one.month),
          range: [chartMargin.left + 8, width - chartMargin.right - 8],
        })
        const y = amountScale(0, top)
        const atX = (one: Growth['months'][number]) => x(one.month) ?? 0
        const atY = (one: Growth['months'][number]) => y(one.subscribers)
        return (
          <>
            <ChartAxes
              x={x}
              y={y}
              months={months.map((one) => one.month)}
              width={width}
              format={(amount) => amount.toLocaleString('en-US', { notation: 'compact' })}
            />
            <AreaClosed data={[...months]} x={atX} y={atY} yScale={y} className={styles['area'] ?? ''} />
            <LinePath data={[...months]} x={atX} y={atY} className={styles['line'] ?? ''} />
            {months.map((one) => (
              <circle key={one.month} className={styles['dot']} cx={atX(one)} cy={atY(one)} r={3.5}>
                <title>{`${monthTick(one.month)}: ${countWords(one.subscribers, 'subscriber')}`}</title>
              </circle>
            ))}
          </>
        )
      }}
    </ChartFrame>
  )
}
