import { AxisBottom, AxisLeft, type AxisScale } from '@visx/axis'
import { Group } from '@visx/group'
import { scaleLinear } from '@visx/scale'
import { chartHeight, chartMargin, monthTick } from './chart-frame.tsx'
import styles from './chart.module.css'

type AmountScale = ReturnType<typeof amountScale>

/** The vertical scale of a chart, extended to round numbers. */
export const amountScale = (bottom: number, top: number) =>
  scaleLinear({ domain: [bottom, top], range: [chartHeight - chartMargin.bottom, chartMargin.top], nice: true })

/** The grid of a chart and its axes: whole amounts at the left, months below. A narrow screen shows every third month. */
export function ChartAxes({
  x,
  y,
  months,
  width,
  format,
}: {
  x: AxisScale
  y: AmountScale
  months: readonly string[]
  width: number
  format: (amount: number) => string
}) {
  const monthStep = width < 520 ? 3 : 1
  return (
    <>
      <Group className={styles['grid'] ?? ''}>
        {y.ticks(4).map((tick) => (
          <line key={tick} x1={chartMargin.left} x2={width - chartMargin.right} y1={y(tick)} y2={y(tick)} />
        ))}
      </Group>
      <AxisLeft
        scale={y}
        left={chartMargin.left}
        tickValues={y.ticks(4).filter(Number.isInteger)}
        tickFormat={(value) => format(Number(value))}
        axisClassName={styles['axis'] ?? ''}
        hideAxisLine
        hideTicks
      />
      <AxisBottom
        scale={x}
        top={chartHeight - chartMargin.bottom}
        tickValues={months.filter((_, index) => (months.length - 1 - index) % monthStep === 0)}
        tickFormat={monthTick}
        axisClassName={styles['axis'] ?? ''}
        hideAxisLine
        hideTicks
      />
    </>
  )
}
