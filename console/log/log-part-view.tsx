import { Fragment } from 'preact'
import { duration } from '../parts/relative-time.ts'
import { shownIn } from './log-parts.ts'
import type { LogLine } from './log-lines.ts'
import type { LogPart } from './log-parts.ts'

interface Props {
  readonly part: LogPart
  readonly lines: readonly LogLine[]
  /** Lines that are in the page. */
  readonly window: { readonly from: number; readonly to: number }
  /** That FFmpeg ran for it; null while unknown. */
  readonly seconds: number | null
  readonly isOpen: boolean
  readonly showsStatistics: boolean
  readonly hit: number | null
  readonly linked: number | null
  readonly isQuoted: (line: string) => boolean
  readonly toggle: (open: boolean) => void
}

/** A step as a fold, or the lines alone where the log has no steps. */
export function LogPartView(props: Props) {
  const { part, seconds, isOpen, toggle } = props
  if (part.title === null) return <Lines {...props} />
  return (
    <details
      class="log-part"
      open={isOpen}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open !== isOpen) toggle(currentTarget.open)
      }}
    >
      <summary>
        {part.title}
        <span class="muted number">
          {seconds === null ? '' : ` ${duration(seconds)} ·`} {count(part)}
        </span>
      </summary>
      {isOpen && <Lines {...props} />}
    </details>
  )
}

function Lines({ part, lines, window, showsStatistics, hit, linked, isQuoted }: Props) {
  const last = part.statistics.at(-1)
  const folded = new Set(showsStatistics ? [] : part.statistics.slice(0, -1))
  if (linked !== null) folded.delete(linked)
  const range = { from: Math.max(part.from, window.from), to: Math.min(part.to, window.to) }
  return (
    <>
      {shownIn(range, folded).map(({ index, foldedBefore }) => {
        const { text, level } = lines[index] ?? { text: '', level: 'info' }
        const marks = [level === 'info' ? '' : level, index === hit ? 'hit' : '']
        if (index === linked) marks.push('linked')
        if (isQuoted(text)) marks.push('error')
        const number = index + 1
        return (
          // A single line of statistics stays in the page and changes.
          <Fragment key={index === last ? 'statistics' : index}>
            {foldedBefore > 0 && (
              <p class="muted folded">
                {foldedBefore === 1 ? '1 line' : `${foldedBefore} lines`} of progress
              </p>
            )}
            <div
              id={`L${number}`}
              class={['line', ...marks.filter((mark) => mark !== '')].join(' ')}
            >
              <a
                class="line-number"
                href={`#L${number}`}
                tabIndex={-1}
                aria-label={`Line ${number}`}
              >
                {number}
              </a>
              <span>{text}</span>
            </div>
          </Fragment>
        )
      })}
    </>
  )
}

function count({ from, to }: LogPart): string {
  return to - from === 1 ? '1 line' : `${to - from} lines`
}
