import { open, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Failure } from '../../../../common/domain/failures.ts'
import { megabytes } from '../../runtime/transfer-allowance.ts'
import { fetchFile } from '../fetch-file.ts'
import type { FetchDependencies, FetchedPlaylist } from '../fetch-input.ts'
import { createGrowingFile } from '../growing-file.ts'
import { withoutQuery } from '../names/without-query.ts'
import { isHlsPlaylist } from './hls-playlist.ts'
import { fetchPlaylist } from './fetch-playlist.ts'

type Dependencies = Pick<
  FetchDependencies,
  'guarded' | 'effects' | 'turns' | 'budget' | 'fileBytes'
>

/** A larger file is something else. */
const largestText = 10 * 1024 * 1024

/** @param bounded aliases of which the command reads a limited time */
export async function fetchPlaylistInput(
  input: FetchedPlaylist,
  bounded: readonly string[],
  deps: Dependencies,
  signal: AbortSignal,
): Promise<number | null> {
  const bytes = await readFile(input.path)
  const text = bytes.length > largestText ? '' : bytes.toString()
  if (!isHlsPlaylist(text)) return null
  const size = createPlaylistSize(deps)
  const local = await fetchPlaylist({
    text,
    signal,
    url: input.url,
    alias: input.alias,
    isBounded: bounded.includes(input.alias),
    folder: dirname(input.path),
    fetch: (url, path, stop) => fetchPart(url, path, deps, size, stop),
  })
  await writeFile(input.path, local)
  return size.total()
}

async function fetchPart(
  url: URL,
  path: string,
  { guarded, effects, turns }: Dependencies,
  size: PlaylistSize,
  signal: AbortSignal,
): Promise<{ url: string }> {
  const turn = turns.enter(url.origin)
  const counted = size.file()
  let reached = url.href
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
          reached = names.url
          counted.begin(version.totalBytes)
        },
        onPiece: (piece) => {
          counted.piece(piece.length)
        },
      },
    })
    return { url: reached }
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 'UNREACHABLE_INPUT_FILE') throw error
    const named = `names ${withoutQuery(url.href)}, which ${error.message}`
    throw new Failure('UNREACHABLE_INPUT_FILE', named, { cause: error })
  } finally {
    turn.leave()
  }
}

interface PlaylistSize {
  file(): { begin(totalBytes: number | null): void; piece(bytes: number): void }
  total(): number
}

/** Counts all files of a playlist against the largest file of the plan. */
function createPlaylistSize({ budget, fileBytes }: Dependencies): PlaylistSize {
  let total = 0
  function add(bytes: number): void {
    total += bytes
    if (fileBytes !== null && total > fileBytes) {
      throw new Failure(
        'INPUT_TOO_LARGE',
        `the playlist names over ${megabytes(fileBytes)} MB, which the plan allows per file`,
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
