import type { LogLine } from './log-lines.ts'

/** Lines between two headings; the whole log where it has none. */
export interface LogPart {
  /** null: it has no heading. */
  readonly title: string | null
  /** Index of the step, from 0; null where the heading names none. */
  readonly step: number | null
  /** Indices of its lines, the heading left out: `[from, to)`. */
  readonly from: number
  readonly to: number
  /** Indices of the lines of statistics, in their order. */
  readonly statistics: readonly number[]
}

export function partsOf(lines: readonly LogLine[]): LogPart[] {
  const heads = lines.flatMap(({ level }, index) => (level === null ? [index] : []))
  const first = heads[0] ?? lines.length
  const before = first > 0 ? [part(lines, null, 0, first)] : []
  return [
    ...before,
    ...heads.map((head, place) =>
      part(lines, lines[head]?.text ?? '', head + 1, heads[place + 1] ?? lines.length),
    ),
  ]
}

function part(
  lines: readonly LogLine[],
  heading: string | null,
  from: number,
  to: number,
): LogPart {
  const statistics: number[] = []
  for (let index = from; index < to; index += 1) {
    if (isStatistics(lines[index]?.text ?? '')) statistics.push(index)
  }
  const [, step] = /^==> step (\d+) <==$/.exec(heading ?? '') ?? []
  return {
    title: step === undefined ? titleOf(heading) : `Step ${Number(step) + 1}`,
    step: step === undefined ? null : Number(step),
    from,
    to,
    statistics,
  }
}

function titleOf(heading: string | null): string | null {
  const [, words] = /^==> (.*) <==$/.exec(heading ?? '') ?? []
  return words === undefined ? null : `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}

/** `frame=125 fps=62 size=1024KiB time=00:00:05.00 speed=2.1x`, of the runner or of FFmpeg. */
function isStatistics(line: string): boolean {
  return /^(?:frame|size|time)=.*(?:\btime=| bitrate=)/.test(line) || /^time=\S+/.test(line)
}

interface View {
  /** Parts that the reader has opened or closed, by the index of their first line. */
  readonly toggled: ReadonlyMap<number, boolean>
  /** Indices of the lines that the search has found; null without a search. */
  readonly hits: readonly number[] | null
  /** Index of the line to show. */
  readonly wanted: number | null
}

/** Whether a part is open: the reader's choice, else hits, else the wanted line, else the last part. */
export function isOpen(parts: readonly LogPart[], index: number, view: View): boolean {
  const part = parts[index]
  if (part === undefined) return false
  const { from, to } = part
  const { toggled, hits, wanted } = view
  const chosen = toggled.get(from)
  if (chosen !== undefined) return chosen
  if (hits !== null) return hits.some((line) => line >= from && line < to)
  // The heading is the line before the first one.
  if (wanted !== null) return wanted >= from - 1 && wanted < to
  return index === parts.length - 1
}

/** Lines in the page: all of a short log, of a long one its end, or those around a line that is wanted. */
export function windowOf(
  count: number,
  most: number,
  wanted: number | null,
): { readonly from: number; readonly to: number } {
  const end = Math.max(0, count - most)
  const from = wanted === null || wanted >= end ? end : Math.max(0, wanted - Math.floor(most / 2))
  return { from, to: Math.min(count, from + most) }
}

/** Indices of the lines that are shown, each with the number of folded ones before it, which its number counts. */
export function shownIn(
  { from, to }: Pick<LogPart, 'from' | 'to'>,
  folded: ReadonlySet<number>,
): { readonly index: number; readonly foldedBefore: number }[] {
  const shown: { index: number; foldedBefore: number }[] = []
  let foldedBefore = 0
  for (let index = from; index < to; index += 1) {
    if (folded.has(index)) {
      foldedBefore += 1
      continue
    }
    shown.push({ index, foldedBefore })
    foldedBefore = 0
  }
  return shown
}

/** Whether the error message of a record has this line of the log in it. */
export function quotedIn(message: string | null): (line: string) => boolean {
  // A short line is in a message by chance.
  return (line) => {
    const text = line.trim().replace(/\.$/, '')
    return text.length >= leastQuoted && message !== null && message.includes(text)
  }
}

const leastQuoted = 10

/** Index of the line at which a reader of a failed command begins; null if no line is an error. */
export function firstError(
  lines: readonly LogLine[],
  isQuoted: (line: string) => boolean,
): number | null {
  // The runner chose these lines as the cause; other errors may have gone before without harm.
  const cause = lines.findIndex(({ text, level }) => level !== null && isQuoted(text))
  const index = cause === -1 ? lines.findIndex(({ level }) => level === 'error') : cause
  return index === -1 ? null : index
}

/** The index of the line that `#L120` names; null for another fragment. */
export function lineIn(fragment: string): number | null {
  const [, number] = /^#L([1-9]\d{0,6})$/.exec(fragment) ?? []
  return number === undefined ? null : Number(number) - 1
}
