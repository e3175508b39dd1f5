import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from '../controls/icons.tsx'
import { hasEnded } from '../parts/state.ts'
import { found, plainText } from './log-lines.ts'
import { LogPartView } from './log-part-view.tsx'
import { firstError, isOpen, lineIn, partsOf, windowOf } from './log-parts.ts'
import { Instead, LogTools } from './log-tools.tsx'
import type { Signal } from '@preact/signals'
import type { RefObject } from 'preact'
import type { CommandStatusRecord } from '../../common/openapi/openapi-types.ts'
import type { LogLine } from './log-lines.ts'
import type { Log } from './log-store.ts'

/** Lines in the page; the rest is in memory, and in the download. */
const mostLines = 2_000

interface Props {
  readonly log: Log
  readonly record: CommandStatusRecord
  /** Whether the record quotes a line as the error. */
  readonly isQuoted: (line: string) => boolean
}

export function LogView({ log, record, isQuoted }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const isAtEnd = useSignal(true)
  const isWrapped = useSignal(true)
  const search = useSignal('')
  const place = useSignal(0)
  const linked = useSignal(lineIn(location.hash))
  /** Parts that the user has opened or closed, by the index of their first line. */
  const toggled = useSignal<ReadonlyMap<number, boolean>>(new Map())
  const lines = log.lines.value
  const parts = useComputed(() => partsOf(log.lines.value)).value
  const hits = useComputed(() => found(log.lines.value, search.value)).value
  const isEnded = log.state.value === 'ended'
  const error = isEnded && record.status === 'FAILED' ? firstError(lines, isQuoted) : null
  const hit = hits[Math.min(place.value, hits.length - 1)] ?? null
  const wanted = hit ?? linked.value ?? error
  const { from, to } = windowOf(lines.length, mostLines, wanted)

  useEffect(() => {
    const changed = () => (linked.value = lineIn(location.hash))
    addEventListener('hashchange', changed)
    return () => removeEventListener('hashchange', changed)
  }, [])
  const { toEnd, onScroll } = useScroll({ box, isAtEnd, lines, wanted, hit })
  const view = { toggled: toggled.value, hits: search.value === '' ? null : hits, wanted }
  return (
    <section class="log column dense" aria-label="Log">
      <LogTools
        search={search}
        place={place}
        hits={hits.length}
        isWrapped={isWrapped}
        save={() => save(plainText(lines), record.command_id)}
      />
      <div
        ref={box}
        class={isWrapped.value ? 'log-box frame wrapped' : 'log-box frame'}
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label="FFmpeg's log"
        onScroll={onScroll}
      >
        {from > 0 && <p class="muted">The first {from} lines are in the download.</p>}
        {parts.map((part, index) => (
          <LogPartView
            key={part.from}
            part={part}
            lines={lines}
            window={{ from, to }}
            seconds={secondsOf(record, part.step)}
            isOpen={isOpen(parts, index, view)}
            showsStatistics={search.value !== ''}
            hit={hit}
            linked={linked.value}
            isQuoted={isQuoted}
            toggle={(open) => (toggled.value = new Map(toggled.value).set(part.from, open))}
          />
        ))}
        {to < lines.length && (
          <p class="muted">{lines.length - to} more lines are in the download.</p>
        )}
        <Instead log={log} />
      </div>
      {!isAtEnd.value && !hasEnded(record) && log.state.value === 'following' && (
        <button type="button" class="chip to-end" onClick={toEnd}>
          Jump to the end
          <Icon name="down" />
        </button>
      )}
    </section>
  )
}

interface Scroll {
  readonly box: RefObject<HTMLDivElement | null>
  readonly isAtEnd: Signal<boolean>
  readonly lines: readonly LogLine[]
  /** Index of the line to show; null: the end, as long as the reader has not left it. */
  readonly wanted: number | null
  /** Index of the line that the search has found. */
  readonly hit: number | null
}

/** Keeps the end or the wanted line in sight. */
function useScroll({ box, isAtEnd, lines, wanted, hit }: Scroll) {
  const toEnd = () => {
    const element = box.current
    if (element !== null) element.scrollTop = element.scrollHeight
  }
  useLayoutEffect(() => {
    if (isAtEnd.value && wanted === null) toEnd()
  }, [lines])
  // Once the line exists: a link may name one that has not arrived.
  const target = wanted !== null && wanted < lines.length ? wanted : null
  useEffect(() => {
    const line = target === null ? null : document.getElementById(`L${target + 1}`)
    if (line !== null && box.current !== null) {
      const top = line.getBoundingClientRect().top - box.current.getBoundingClientRect().top
      box.current.scrollTop += top - (target === hit ? box.current.clientHeight / 2 : 40)
    }
  }, [target, hit])
  const onScroll = () => {
    const element = box.current
    if (element === null) return
    isAtEnd.value = element.scrollHeight - element.scrollTop - element.clientHeight < 24
  }
  return { toEnd, onScroll }
}

function secondsOf({ steps }: CommandStatusRecord, step: number | null): number | null {
  return steps.find(({ index }) => index === step)?.ffmpeg_command_run_seconds ?? null
}

function save(text: string, id: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${id}.log`
  link.click()
  URL.revokeObjectURL(url)
}
