import { now } from '../parts/now.ts'
import { duration } from '../parts/relative-time.ts'
import { hasEnded, waitingWords } from '../parts/state.ts'
import { usage } from '../shell/service.ts'
import { summary, timelineOf } from './timeline-bars.ts'
import type { Bar } from './bar.ts'
import type { CommandStatusRecord, CommandTimeline } from '../../common/openapi/openapi-types.ts'

const rowHeight = 28
const axisHeight = 24

interface Props {
  readonly record: CommandStatusRecord
  readonly known: CommandTimeline | null
}

/** Bars in proportion, as SVG: its lengths are attributes, and the policy allows no inline styles. */
export function TimelineView({ record, known }: Props) {
  const time = hasEnded(record) ? 0 : now.value
  const { bars, total, ticks, waited } = timelineOf(record, known, time)
  const percent = (seconds: number) => (total === 0 ? 0 : (seconds / total) * 100)
  const height = axisHeight + bars.length * rowHeight
  return (
    <section class="timeline" aria-label="Timeline">
      <p class="muted">
        {summary(record, time)}
        {waitingOf(record)}
        {waitedFor(known, waited)}
      </p>
      <div class="bars">
        <div class="bar-names" aria-hidden="true">
          {bars.map(({ name }, index) => (
            <span key={index}>{name}</span>
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
              key={index}
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
  return `. ${waitingWords(record.queue_reason, {
    vcpus: record.vcpu_count,
    inUse,
    limit,
    message: record.queue_message,
  })}`
}

/** Reason of a wait that is over. */
function waitedFor(known: CommandTimeline | null, waited: number): string {
  if (known === null || waited < 1 || known.attempts.length === 0) return ''
  const reasons = known.waits.flatMap(({ reason, to }) =>
    reason && to ? [pastReasons[reason]] : [],
  )
  const [why] = reasons.filter((one) => one !== '').slice(-1)
  return why === undefined ? '' : `, ${why}`
}

const pastReasons = {
  DISPATCH: '',
  ACCOUNT_VCPUS: 'for vCPUs of its account',
  ACCOUNT_JOBS: 'for other commands of its account',
  QUOTA: 'for quota that others had reserved',
  FAIR_SHARE: 'for its share of the cluster',
  CAPACITY: 'for a place in the cluster',
  POLICY: 'for a policy of the cluster',
  QUOTA_OF_CLUSTER: 'for a quota of the cluster',
  PAUSED: 'for an administrator to resume',
  KUEUE: 'in the queue of the cluster, Kueue',
  // They are bars of their own.
  NODE: '',
  IMAGE: '',
} as const
