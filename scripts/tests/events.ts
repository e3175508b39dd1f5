/** Events of a mocha process, a JSON object a line. `file` is relative to the project; a hook's may be empty. */
export type TestEvent =
  | { readonly kind: 'begin'; readonly file: string; readonly title: string }
  | {
      readonly kind: 'end'
      readonly file: string
      readonly title: string
      readonly state: 'passed' | 'failed' | 'pending'
      readonly ms: number
    }
  | { readonly kind: 'hook'; readonly file: string; readonly ms: number }
  | {
      readonly kind: 'fail'
      readonly file: string
      readonly title: string
      readonly error: string
    }
  /** All files of the process have ended. */
  | { readonly kind: 'done' }

export interface Failure {
  /** Full title, of a hook too. */
  readonly title: string
  readonly error: string
}

export interface FileResult {
  readonly file: string
  /** The last test has ended; a later event shows it. */
  readonly isComplete: boolean
  readonly passed: number
  readonly pending: number
  readonly failures: readonly Failure[]
  /** Milliseconds of its tests and hooks. */
  readonly ms: number
  /** Title of the test that had begun and not ended when the events ended. */
  readonly running: string | null
}

interface Open {
  passed: number
  pending: number
  failures: Failure[]
  ms: number
  running: string | null
}

/**
 * Results by file of one mocha process, in the order of its events. A process reports the files one after the other, those of
 * parallel workers too, so a file is complete as soon as another has an event.
 */
export function resultsFrom(lines: string): FileResult[] {
  const files = new Map<string, Open>()
  let last = ''
  let isDone = false
  for (const event of parsed(lines)) {
    if (event.kind === 'done') {
      isDone = true
      continue
    }
    // A root hook has no file; it belongs to the file beside which it runs.
    const file = event.file || last
    const open = files.get(file) ?? { passed: 0, pending: 0, failures: [], ms: 0, running: null }
    files.set(file, open)
    last = file
    if (event.kind === 'begin') open.running = event.title
    if (event.kind === 'fail') open.failures.push({ title: event.title, error: event.error })
    if (event.kind === 'hook') open.ms += event.ms
    if (event.kind !== 'end') continue
    open.running = null
    open.ms += event.ms
    if (event.state === 'passed') open.passed += 1
    if (event.state === 'pending') open.pending += 1
  }
  return [...files].map(([file, open]) => ({
    file,
    isComplete: isDone || file !== last,
    ...open,
  }))
}

/** The last line may be half of one, where the process was killed while it wrote. */
function parsed(lines: string): TestEvent[] {
  return lines.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as TestEvent]
    } catch {
      return []
    }
  })
}
