import { now } from '../parts/now.ts'
import { duration } from '../parts/relative-time.ts'
import { hasEnded, waitingWords } from '../parts/state.ts'
import { usage } from '../shell/service.ts'
import { timelineOf } from './timeline-bars.ts'
import type { Bar } from './timeline-bars.ts'
import type { CommandStatusRecord } from '../../common/openapi/openapi-types.ts'

const rowHeight = 28
const axisHeight = 24

/** Bars in proportion, as SVG: its lengths are attributes, and the policy allows no inline styles. */
export function TimelineView({ record }: { readonly record: CommandStatusRecord }) {
  const { bars, total, ticks } = timelineOf(record, hasEnded(record) ? 0 : now.value)
  const percent = (seconds: number) => (total === 0 ? 0 : (seconds / total) * 100)
  const height = axisHeight + bars.length * rowHeight
  return (
    <section class="timeline" aria-label="Timeline">
      <p class="muted">
        {hasEnded(record) ? 'Took' : 'So far'} {duration(total)}, of which it waited{' '}
        {duration(bars[0]?.to ?? 0)}
        {waitingOf(record)}
      </p>
      <div class="bars">
        <div class="bar-names" aria-hidden="true">
          {bars.map(({ name }) => (
            <span key={name}>{name}</span>
          ))}
        </div>
        <svg width="100%" height={height} role="img" aria-label={spoken(bars)}>
          {ticks.map((tick) => (
            <g key={tick}>
              <line
                class="tick"
                x1={`${percent(tick)}%`}
                x2={`${percent(tick)}%`}
                y1="18"
                y2={height}
              />
              <text
                class={tick === 0 ? 'tick-text first' : 'tick-text'}
                x={`${percent(tick)}%`}
                y="12"
              >
                {tick} s
              </text>
            </g>
          ))}
          {bars.map((bar, index) => (
            <BarView
              key={bar.name}
              bar={bar}
              from={percent(bar.from)}
              to={percent(bar.to)}
              y={axisHeight + index * rowHeight}
            />
          ))}
        </svg>
      </div>
    </section>
  )
}

interface BarProps {
  readonly bar: Bar
  /** Percent of the axis. */
  readonly from: number
  readonly to: number
  readonly y: number
}

function BarView({ bar, from, to, y }: BarProps) {
  const words = [duration(bar.to - bar.from), bar.note].filter((one) => one !== '').join(' · ')
  const place = placeOf(from, to)
  return (
    <g>
      <rect
        class={`bar ${bar.tone}`}
        x={`${from}%`}
        y={y}
        width={`${Math.max(0.3, to - from)}%`}
        height="18"
        rx="3"
      />
      <text class={`bar-text ${place.how}`} x={`${place.x}%`} dx={place.dx} y={y + 14}>
        {words}
      </text>
    </g>
  )
}

/** Beside the bar where there is room, else in it. */
function placeOf(from: number, to: number) {
  if (to <= 60) return { how: 'behind', x: to, dx: 8 }
  if (from >= 40) return { how: 'before', x: from, dx: -8 }
  return { how: 'inside', x: to, dx: -8 }
}

function spoken(bars: readonly Bar[]): string {
  return bars.map(({ name, from, to }) => `${name} ${duration(to - from)}`).join(', ')
}

function waitingOf(record: CommandStatusRecord): string {
  if (record.status !== 'QUEUED') return ''
  const { in_use: inUse = null, limit = null } = usage.value?.vcpu ?? {}
  return `. ${waitingWords(record.queue_reason, { vcpus: record.vcpu_count, inUse, limit })}`
}
