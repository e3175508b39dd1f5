import { open } from 'node:fs/promises'
import { Failure } from '../../../../common/domain/failures.ts'
import { megabytes } from '../../runtime/transfer-allowance.ts'
import { fetchFile } from '../fetch-file.ts'
import type { ListDependencies } from '../list-reader.ts'
import { createGrowingFile } from '../growing-file.ts'
import { chooseFileName } from '../names/file-name.ts'
import { withoutQuery } from '../names/without-query.ts'
import type { FetchedFile } from './listed-files.ts'

export interface Part {
  readonly url: URL
  /** Absolute path of the file to make. */
  readonly path: string
  /** Added to the URL in messages. */
  readonly place: string
  readonly alias: string
}

/**
 * Fetches a file that a list names, through the same guard as the list.
 * @throws Failure with a message that continues a sentence about the list
 */
export async function fetchPart(
  { url, path, place, alias }: Part,
  { guarded, effects, turns }: ListDependencies,
  size: ListSize,
  signal: AbortSignal,
): Promise<FetchedFile> {
  const turn = turns.enter(url.origin)
  const counted = size.file()
  let fetched: FetchedFile = { url: url.href, fileName: null }
  await using file = await open(path, 'w', 0o644)
  try {
    await fetchFile({
      url,
      file,
      effects,
      signal,
      turn,
      open: guarded,
      growing: createGrowingFile(path),
      isRead: false,
      watch: {
        onVersion(version, names) {
          const fileName = chooseFileName({ alias, url: url.href }, names)
          fetched = { url: names.url, fileName }
          counted.begin(version.totalBytes)
        },
        onPiece: (piece) => {
          counted.piece(piece.length)
        },
      },
    })
    return fetched
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 'UNREACHABLE_INPUT_FILE') throw error
    const named = `names ${withoutQuery(url.href)}${place}, which ${error.message}`
    throw new Failure('UNREACHABLE_INPUT_FILE', named, { cause: error })
  } finally {
    turn.leave()
  }
}

export interface ListSize {
  file(): { begin(totalBytes: number | null): void; piece(bytes: number): void }
  total(): number
}

/** Counts all files of a list against the largest file of the plan. */
export function createListSize(
  { budget, fileBytes }: ListDependencies,
  list: 'playlist' | 'list',
): ListSize {
  let total = 0
  function add(bytes: number): void {
    total += bytes
    if (fileBytes !== null && total > fileBytes) {
      throw new Failure(
        'INPUT_TOO_LARGE',
        `the ${list} names over ${megabytes(fileBytes)} MB, which the plan allows per file`,
      )
    }
    budget.take(bytes)
  }
  return {
    file() {
      let [own, announced]: [number, number | null] = [0, null]
      return {
        begin(totalBytes) {
          total -= own
          budget.giveBack(own)
          announced = totalBytes
          own = totalBytes ?? 0
          add(own)
        },
        piece(bytes) {
          if (announced !== null) return
          own += bytes
          add(bytes)
        },
      }
    },
    total: () => total,
  }
}
