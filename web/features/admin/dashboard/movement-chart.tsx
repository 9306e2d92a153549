import type { Growth } from '@flashsheet/contracts/admin/schema'
import { scaleBand } from '@visx/scale'
import { BarStack } from '@visx/shape'
import { formatDollars } from '../../../lib/money.ts'
import { classes } from '../../../ui/classes.ts'
import { amountScale, ChartAxes } from './chart-axes.tsx'
import { ChartFrame, chartMargin, monthTick, shortDollars } from './chart-frame.tsx'
import text from '../../../ui/text.module.css'
import styles from './chart.module.css'

const parts = ['new', 'reactivation', 'expansion', 'contraction', 'churn'] as const
type Part = (typeof parts)[number]
const names: Record<Part, string> = {
  new: 'New',
  reactivation: 'Returned',
  expansion: 'Upgrades',
  contraction: 'Downgrades',
  churn: 'Left',
}

type Bar = { month: string } & Record<Part, number>

/** Gained MRR above the line and lost MRR below it, per month. */
export function MovementChart({ months }: { months: Growth['months'] }) {
  const bars: Bar[] = months.map(({ month, movement }) => ({ month, ...movement }))
  const top = Math.max(100, ...bars.map((bar) => bar.new + bar.reactivation + bar.expansion))
  const bottom = Math.min(0, ...bars.map((bar) => bar.contraction + bar.churn))
  const last = months.at(-1)?.movement
  return (
    <ChartFrame
      description={`MRR movement by month. This month ${formatDollars((last?.end ?? 0) - (last?.start ?? 0))} in all; every number is in the table.`}
      legend={parts.map((part) => (
        <span key={part} className={classes(styles['key'], styles[part])}>
          <span className={text['muted']}>{names[part]}</span>
        </span>
      ))}
    >
      {(width) => {
        const x = scaleBand({
          domain: bars.map((bar) => bar.month),
          range: [chartMargin.left, width - chartMargin.right],
          padding: 0.3,
        })
        const y = amountScale(bottom, top)
        return (
          <>
            <ChartAxes x={x} y={y} months={bars.map((bar) => bar.month)} width={width} format={shortDollars} />
            <BarStack<Bar, Part>
              data={bars}
              keys={[...parts]}
              x={(bar) => bar.month}
              xScale={x}
              yScale={y}
              color={() => ''}
              offset="diverging"
            >
              {(stacks) =>
                stacks.map((stack) =>
                  stack.bars.map((bar) =>
                    Math.abs(bar.height) < 0.5 ? null : (
                      <rect
                        key={`${stack.key}-${bar.index}`}
                        className={styles[stack.key]}
                        x={bar.x}
                        width={bar.width}
                        y={Math.min(bar.y, bar.y + bar.height)}
                        height={Math.abs(bar.height)}
                      >
                        <title>{`${monthTick(bar.bar.data.month)}: ${names[stack.key]} ${formatDollars(bar.bar.data[stack.key])}`}</title>
                      </rect>
                    ),
                  ),
                )
              }
            </BarStack>
            <line className={styles['zero']} x1={chartMargin.left} x2={width - chartMargin.right} y1={y(0)} y2={y(0)} />
          </>
        )
      }}
    </ChartFrame>
  )
}
