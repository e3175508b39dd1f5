import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { axisEnd, bucketWords, heightOf, pathOf, totalOf } from './series.ts'
import { bucketAt, bucketName, ticksOf } from './time-axis.ts'
import type { Signal } from '@preact/signals'
import type { UsageHistory } from '../../common/openapi/openapi-types.ts'
import type { Chart } from './series.ts'

const height = 112
const axisHeight = 20

interface Props {
  readonly chart: Chart
  readonly history: UsageHistory
}

/** Bars as SVG whose lengths are attributes: the policy allows no inline styles. The table says the same. */
export function BarChart({ chart, history: { buckets, bucket: size } }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const pointed = useSignal<number | null>(null)
  // The newest is at the right end, and comes first for the reader.
  useEffect(() => box.current?.scrollTo({ left: box.current.scrollWidth }), [buckets.length])
  const end = axisEnd(Math.max(...buckets.map((one) => heightOf(chart, one))), chart.axis)
  const shown = buckets[pointed.value ?? buckets.length - 1]
  return (
    <figure class="chart box">
      <figcaption>
        <h3>{chart.title}</h3>
        <span class="number total">{totalOf(chart, buckets)}</span>
        {chart.parts.length > 1 && (
          <span class="legend">
            {chart.parts.map(({ name, tone }) => (
              <span key={name} class="legend-part">
                <span class={`legend-box ${tone}`} />
                {name}
              </span>
            ))}
          </span>
        )}
      </figcaption>
      <div class="chart-area">
        <div class="chart-scale number" aria-hidden="true">
          <span>{chart.words(end)}</span>
          <span>0</span>
        </div>
        <div
          ref={box}
          class="chart-box"
          role="group"
          aria-label={`${chart.title}, bars`}
          // A chart of many hours scrolls on narrow screens, with the arrow keys too.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
        >
          <Bars chart={chart} buckets={buckets} size={size} end={end} pointed={pointed} />
        </div>
      </div>
      <p class="pointed-words muted number">
        {shown === undefined
          ? ''
          : `${bucketName(shown.start, size)}: ${bucketWords(chart, shown)}`}
      </p>
    </figure>
  )
}

interface BarsProps {
  readonly chart: Chart
  readonly buckets: UsageHistory['buckets']
  readonly size: UsageHistory['bucket']
  /** Value at the top of the chart. */
  readonly end: number
  /** Index of the bucket under the pointer. */
  readonly pointed: Signal<number | null>
}

function Bars({ chart, buckets, size, end, pointed }: BarsProps) {
  const count = buckets.length
  const place = (index: number) => `${(index / count) * 100}%`
  const point = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = (currentTarget as Element).getBoundingClientRect()
    pointed.value = bucketAt((clientX - left) / width, count)
  }
  return (
    <svg
      class={count > 200 ? 'many' : ''}
      width="100%"
      height={height + axisHeight}
      role="img"
      aria-label={`${chart.title}: ${totalOf(chart, buckets)} in ${count} ${size}s`}
      onPointerMove={point}
      onPointerLeave={() => (pointed.value = null)}
    >
      {[0.5, 0, 1].map((one) => (
        <line
          key={one}
          class={one === 0 ? 'base' : 'tick'}
          x1="0"
          x2="100%"
          y1={height * (1 - one) + 0.5}
          y2={height * (1 - one) + 0.5}
        />
      ))}
      {pointed.value !== null && (
        <rect class="pointed" x={place(pointed.value)} width={place(1)} height={height} />
      )}
      <svg viewBox={`0 0 ${count} 1`} width="100%" height={height} preserveAspectRatio="none">
        {chart.parts.map((part) => (
          <path key={part.name} class={part.tone} d={pathOf(chart, part, { buckets, end })} />
        ))}
      </svg>
      {ticksOf(buckets, size).map(({ index, words }, nth) => (
        <text
          key={index}
          class={`tick-text ${nth % 2 === 0 ? '' : 'odd'} ${index / count > 0.82 ? 'late' : ''}`}
          x={place(index)}
          y={height + 15}
        >
          {words}
        </text>
      ))}
    </svg>
  )
}
