import type { Growth } from '@flashsheet/contracts/admin/schema'
import { scalePoint } from '@visx/scale'
import { AreaClosed, LinePath } from '@visx/shape'
import { amountScale, ChartAxes } from './chart-axes.tsx'
import { ChartFrame, chartMargin, monthTick } from './chart-frame.tsx'
import styles from './chart.module.css'
import { formatCount } from '../parts/labels.ts'

export function SubscribersChart({ months }: { months: Growth['months'] }) {
  const top = Math.max(5, ...months.map((month) => month.subscribers))
  return (
    <ChartFrame
      description={`Subscribers by month, ${months.at(-1)?.subscribers ?? 0} now; every number is in the table.`}
      legend={<span>Subscribers at the end of each month</span>}
    >
      {(width) => {
        const x = scalePoint({
          domain: months.map(({ month }) => month),
          range: [chartMargin.left + 8, width - chartMargin.right - 8],
        })
        const y = amountScale(0, top)
        const xOf = ({ month }: Growth['months'][number]) => x(month) ?? 0
        const yOf = ({ subscribers }: Growth['months'][number]) => y(subscribers)
        return (
          <>
            <ChartAxes
              x={x}
              y={y}
              months={months.map(({ month }) => month)}
              width={width}
              format={(amount) => amount.toLocaleString('en-US', { notation: 'compact' })}
            />
            <AreaClosed data={[...months]} x={xOf} y={yOf} yScale={y} className={styles['area'] ?? ''} />
            <LinePath data={[...months]} x={xOf} y={yOf} className={styles['line'] ?? ''} />
            {months.map((entry) => (
              <circle key={entry.month} className={styles['dot']} cx={xOf(entry)} cy={yOf(entry)} r={3.5}>
                <title>{`${monthTick(entry.month)}: ${formatCount(entry.subscribers, 'subscriber')}`}</title>
              </circle>
            ))}
          </>
        )
      }}
    </ChartFrame>
  )
}
