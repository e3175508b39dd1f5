import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hasCode } from '../../../common/runtime/error-code.ts'
import { extensionOf } from '../../../common/domain/stored-type.ts'
import { fingerprint } from '../upload/fingerprint.ts'
import { storageProblem } from './storable-path.ts'

export interface SegmentWatch {
  /** Segments that are unchanged since the last poll and that a newer one follows, once each. */
  readonly poll: () => Promise<string[]>
}

/**
 * Finds the segments of a playlist that are finished while others are still written, from the
 * folder alone: their names, and which of them a manifest will list, are the customer's choice. A
 * segment that is written again later is detected in the end, so that a wrong guess costs only its
 * upload. Manifests and init segments are never among them.
 * @param folder absolute; need not be there yet
 */
export function watchSegments(folder: string): SegmentWatch {
  const known = new Map<string, Seen>()
  let polls = 0

  return {
    async poll() {
      polls++
      const names = (await filesBelow(folder)).filter(isSegment)
      for (const path of names) {
        if (!known.has(path)) known.set(path, { path, poll: polls, state: null, isFound: false })
      }
      const newest = newestOfEachKind(known.values())
      const found: string[] = []
      for (const path of names) {
        const seen = known.get(path)
        if (seen === undefined || seen.isFound || newest.has(path)) continue
        const state = (await fingerprint(join(folder, path)))?.state ?? null
        seen.isFound = state !== null && state === seen.state
        seen.state = state
        if (seen.isFound) found.push(path)
      }
      return found
    },
  }
}

interface Seen {
  readonly path: string
  /** The first poll that found it. */
  readonly poll: number
  state: string | null
  isFound: boolean
}

function isSegment(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return !/init|\.(?:m3u8|mpd|tmp)$/i.test(name)
}

/** Variants have folders of their own, or video and audio names that differ in the ending. */
function newestOfEachKind(files: Iterable<Seen>): Set<string> {
  const newest = new Map<string, Seen>()
  for (const file of files) {
    const kind = `${dirname(file.path)}/${extensionOf(file.path)}`
    const before = newest.get(kind)
    if (before === undefined || isNewer(file, before)) newest.set(kind, file)
  }
  return new Set([...newest.values()].map(({ path }) => path))
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

async function filesBelow(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map(({ name, parentPath }) => join(parentPath, name).slice(folder.length + 1))
      .filter((path) => storageProblem(path) === null)
  } catch (error) {
    // FFmpeg has not made it yet, or has just removed a listed entry, or it lies too deep: reported
    // at the end.
    if (hasCode(error, 'ENOENT', 'ENAMETOOLONG')) return []
    throw error
  }
}
