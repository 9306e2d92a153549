import type { Growth } from '@flashsheet/contracts/admin/schema'
import { AxisBottom, AxisLeft } from '@visx/axis'
import { Group } from '@visx/group'
import { scaleLinear, scalePoint } from '@visx/scale'
import { AreaClosed, LinePath } from '@visx/shape'
import { ChartFrame, chartHeight, chartMargin, monthTick } from './chart-frame.tsx'
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
        const y = scaleLinear({
          domain: [0, top],
          range: [chartHeight - chartMargin.bottom, chartMargin.top],
          nice: true,
        })
        const atX = (one: Growth['months'][number]) => x(one.month) ?? 0
        const atY = (one: Growth['months'][number]) => y(one.subscribers)
        const every = width < 520 ? 3 : 1
        return (
          <>
            <Group className={styles['grid'] ?? ''}>
              {y.ticks(4).map((tick) => (
                <line key={tick} x1={chartMargin.left} x2={width - chartMargin.right} y1={y(tick)} y2={y(tick)} />
              ))}
            </Group>
            <AreaClosed data={[...months]} x={atX} y={atY} yScale={y} className={styles['area'] ?? ''} />
            <LinePath data={[...months]} x={atX} y={atY} className={styles['line'] ?? ''} />
            {months.map((one) => (
              <circle key={one.month} className={styles['dot']} cx={atX(one)} cy={atY(one)} r={3.5}>
                <title>{`${monthTick(one.month)}: ${countWords(one.subscribers, 'subscriber')}`}</title>
              </circle>
            ))}
            <AxisLeft
              scale={y}
              left={chartMargin.left}
              tickValues={y.ticks(4).filter(Number.isInteger)}
              tickFormat={(value) => Number(value).toLocaleString('en-US', { notation: 'compact' })}
              axisClassName={styles['axis'] ?? ''}
              hideAxisLine
              hideTicks
            />
            <AxisBottom
              scale={x}
              top={chartHeight - chartMargin.bottom}
              tickValues={months.map((one) => one.month).filter((_, at) => (months.length - 1 - at) % every === 0)}
              tickFormat={monthTick}
              axisClassName={styles['axis'] ?? ''}
              hideAxisLine
              hideTicks
            />
          </>
        )
      }}
    </ChartFrame>
  )
}
