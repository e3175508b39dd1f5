import { readdirSync } from 'node:fs'
import type { Dirent } from 'node:fs'
import { hasCode } from '../../../common/runtime/error-code.ts'
import { extensionOf } from '../../../common/domain/stored-type.ts'
import { fingerprint } from '../upload/fingerprint.ts'
import { storablePathProblem } from './storable-path.ts'

export interface SegmentWatch {
  /** Segments that are unchanged since the last poll and that a newer one follows, once each. */
  readonly poll: () => string[]
}

/**
 * Finds the segments of a playlist that are finished while others are still written, from the
 * folder alone: their names, and which of them a manifest will list, are the customer's choice. A
 * segment that is written again later is detected in the end, so that a wrong guess costs only its
 * upload. Manifests and init segments are never among them.
 *
 * Each poll looks at new and at unfinished segments only, and is synchronous: FFmpeg needs the processor.
 * @param folder absolute; need not be there yet
 */
export function watchSegments(folder: string): SegmentWatch {
  const known = new Set<string>()
  const newest = new Map<string, Seen>()
  let unfinished: Seen[] = []
  let polls = 0

  return {
    poll() {
      polls++
      add('')
      const found: string[] = []
      unfinished = unfinished.filter((seen) => {
        if (newest.get(seen.kind) === seen) return true
        const state = fingerprint(`${folder}/${seen.path}`)?.state ?? null
        const isFound = state !== null && state === seen.state
        seen.state = state
        if (isFound) found.push(seen.path)
        return !isFound
      })
      return found
    },
  }

  /** @param below empty, or a folder below with a slash at its end */
  function add(below: string): void {
    for (const entry of entriesOf(`${folder}/${below}`)) {
      const path = below + entry.name
      if (known.has(path)) continue
      if (entry.isDirectory()) {
        add(`${path}/`)
      } else if (entry.isFile()) {
        known.add(path)
        if (isSegment(entry.name) && storablePathProblem(path) === null) addSegment(below, path)
      }
    }
  }

  function addSegment(below: string, path: string): void {
    // Variants have folders of their own, or video and audio names that differ in the ending.
    const seen = { path, kind: `${below}/${extensionOf(path)}`, poll: polls, state: null }
    unfinished.push(seen)
    const before = newest.get(seen.kind)
    if (before === undefined || isNewer(seen, before)) newest.set(seen.kind, seen)
  }
}

interface Seen {
  readonly path: string
  readonly kind: string
  /** The first poll that found it. */
  readonly poll: number
  state: string | null
}

function isSegment(name: string): boolean {
  return !/init|\.(?:m3u8|mpd|tmp)$/i.test(name)
}

/** If one poll found both, the higher number is the newer one. */
function isNewer(a: Seen, b: Seen): boolean {
  return a.poll === b.poll ? numeric().compare(a.path, b.path) > 0 : a.poll > b.poll
}

/** Created at its first use: it loads ICU's data, which costs more than the rest of a start. */
function numeric(): Intl.Collator {
  collator ??= new Intl.Collator('en', { numeric: true })
  return collator
}

let collator: Intl.Collator | undefined

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    // FFmpeg has not made it yet, or has just removed it, or it lies too deep: reported at the end.
    if (hasCode(error, 'ENOENT', 'ENAMETOOLONG')) return []
    throw error
  }
}
