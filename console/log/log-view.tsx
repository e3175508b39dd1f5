import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from '../parts/icons.tsx'
import { reasonOf } from '../parts/notices.tsx'
import { found, isHeading } from './log-lines.ts'
import type { Log } from './log-store.ts'

/** Lines in the page; the rest is in memory, and in the download. */
const mostLines = 2_000

interface Props {
  readonly log: Log
  readonly id: string
  /** Lines that the record quotes as the error. */
  readonly errors: ReadonlySet<string>
}

export function LogView({ log, id, errors }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const isAtEnd = useSignal(true)
  const isWrapped = useSignal(true)
  const search = useSignal('')
  const place = useSignal(0)
  const lines = log.lines.value
  const first = Math.max(0, lines.length - mostLines)
  const hits = found(lines, search.value)
  const hit = hits[Math.min(place.value, hits.length - 1)]

  const isEnded = log.state.value === 'ended'
  const error = isEnded ? lines.findIndex((line) => errors.has(line.trim())) : -1

  const toEnd = () => {
    const element = box.current
    if (element !== null) element.scrollTop = element.scrollHeight
  }
  useLayoutEffect(() => {
    if (isAtEnd.value) toEnd()
  }, [lines])
  useEffect(() => {
    if (hit !== undefined)
      document.getElementById(`L${hit + 1}`)?.scrollIntoView({ block: 'center' })
  }, [hit])
  // A log of a failed command opens where FFmpeg says why.
  useEffect(() => {
    const line = document.getElementById(`L${error + 1}`)
    if (line !== null && box.current !== null) box.current.scrollTop = line.offsetTop - 40
  }, [error])
  const onScroll = () => {
    const element = box.current
    if (element === null) return
    isAtEnd.value = element.scrollHeight - element.scrollTop - element.clientHeight < 24
  }

  return (
    <section class="log" aria-label="Log">
      <div class="log-tools">
        <input
          type="search"
          placeholder="Search the log"
          aria-label="Search the log"
          value={search.value}
          onInput={({ currentTarget }) => {
            search.value = currentTarget.value
            place.value = 0
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && hits.length > 0)
              place.value = (place.value + 1) % hits.length
          }}
        />
        {search.value !== '' && (
          <span class="muted number">
            {hits.length === 0
              ? 'none'
              : `${Math.min(place.value, hits.length - 1) + 1} of ${hits.length}`}
          </span>
        )}
        <label class="check">
          <input
            type="checkbox"
            checked={isWrapped.value}
            onChange={({ currentTarget }) => (isWrapped.value = currentTarget.checked)}
          />
          Wrap
        </label>
        <span class="space" />
        <button type="button" class="button quiet" onClick={() => save(lines, id)}>
          <Icon name="download" />
          Download
        </button>
      </div>
      <div
        ref={box}
        class={isWrapped.value ? 'log-box wrapped' : 'log-box'}
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label="FFmpeg's log"
        onScroll={onScroll}
      >
        {first > 0 && <p class="muted">The first {first} lines are in the download.</p>}
        {lines.slice(first).map((line, index) => {
          const number = first + index
          return (
            <div
              key={number}
              id={`L${number + 1}`}
              class={`line${kindOf(line, errors)}${number === hit ? ' hit' : ''}`}
            >
              <a
                class="line-number"
                href={`#L${number + 1}`}
                tabIndex={-1}
                aria-label={`Line ${number + 1}`}
              >
                {number + 1}
              </a>
              <span>{line}</span>
            </div>
          )
        })}
        <Instead log={log} />
      </div>
      {!isAtEnd.value && log.state.value === 'following' && (
        <button type="button" class="chip to-end" onClick={toEnd}>
          Jump to the end
          <Icon name="down" />
        </button>
      )}
    </section>
  )
}

function kindOf(line: string, errors: ReadonlySet<string>): string {
  if (isHeading(line)) return ' heading'
  return errors.has(line.trim()) ? ' error' : ''
}

function Instead({ log }: { readonly log: Log }) {
  if (log.state.value === 'failed') return <p class="problem">{reasonOf(log.problem.value)}</p>
  if (log.lines.value.length > 0) return null
  return (
    <p class="muted">
      {log.state.value === 'ended'
        ? 'FFmpeg wrote no message.'
        : 'FFmpeg has not written a message yet.'}
    </p>
  )
}

function save(lines: readonly string[], id: string): void {
  const url = URL.createObjectURL(new Blob([`${lines.join('\n')}\n`], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${id}.log`
  link.click()
  URL.revokeObjectURL(url)
}
