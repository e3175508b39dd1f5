import type { CommandTimeline } from '../../common/openapi/openapi-types.ts'
import type { Bar, Span } from './bar.ts'

type Step = CommandTimeline['attempts'][number]['steps'][number]

/**
 * One bar for each step that began. Reports come once a second, so a short step has no start of its own and the
 * start of another one is late: each bar is as long as FFmpeg ran in the step, where the span has room for it.
 */
export function stepBars(
  steps: readonly Step[],
  span: Span,
  at: (time: string | null) => number,
): Bar[] {
  const begun = steps.filter(({ started_at, seconds }) => started_at !== null || seconds !== null)
  const starts = startsOf(begun, span, at)
  return begun.map(({ index, seconds }, place) => {
    const from = starts[place] ?? span.from
    const to = starts[place + 1] ?? span.to
    const note = ffmpegPart(seconds, to - from)
    return { name: `Step ${index + 1}`, tone: 'working', from, to, note }
  })
}

function startsOf(begun: readonly Step[], span: Span, at: (time: string | null) => number) {
  const starts: number[] = []
  for (const [place, { started_at }] of begun.entries()) {
    const before = starts[place - 1] ?? span.from
    const earliest = before + (place === 0 ? 0 : (begun[place - 1]?.seconds ?? 0))
    const start = started_at === null ? earliest : at(started_at)
    starts.push(Math.min(span.to, Math.max(before, start)))
  }
  for (let place = begun.length - 1; place >= 0; place--) {
    const end = starts[place + 1] ?? span.to
    const latest = Math.max(span.from, end - (begun[place]?.seconds ?? 0))
    starts[place] = Math.min(starts[place] ?? latest, latest)
  }
  return starts
}

/**
 * The time that FFmpeg ran within a bar; empty where the bar is shorter than that, since its ends are not exact, and where the
 * bar already shows the same time.
 */
export function ffmpegPart(seconds: number | null, bar: number): string {
  if (seconds === null || seconds > bar + 0.05) return ''
  return seconds.toFixed(1) === bar.toFixed(1) ? '' : `FFmpeg ${seconds.toFixed(1)} s of it`
}
