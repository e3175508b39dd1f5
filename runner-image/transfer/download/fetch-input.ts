import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { inputPath } from '../../../common/command-line/model/input-path.ts'
import { Failure } from '../../../common/domain/failures.ts'
import type { InputSource } from '../../../common/gateway/messages.ts'
import { megabytes } from '../runtime/transfer-allowance.ts'
import { fetchFile } from './fetch-file.ts'
import type { FetchWatch } from './file-request.ts'
import { createGrowingFile } from './growing-file.ts'
import type { GrowingFile } from './growing-file.ts'
import { chooseFileName, noFileName } from './names/file-name.ts'
import { listKind } from './names/list-kind.ts'
import { withoutQuery } from './names/without-query.ts'
import type { ListDependencies, ListReader, OpenedList } from './list-reader.ts'
import type { OpenUrl } from './open-url.ts'
import { directLink, shareAdvice } from './names/share-links.ts'
import { looksLikeWebPage, sniffedBytes } from './names/web-page.ts'

export interface FetchedInput {
  readonly alias: string
  /** Relative to the working folder. */
  readonly path: string
  readonly fileName: string
  readonly bytes: number
}

/** An input whose server has answered. */
export interface ArrivingInput {
  readonly alias: string
  /** The path at which FFmpeg opens it, relative to the working folder. */
  readonly path: string
  readonly file: GrowingFile
}

export interface FetchDependencies extends ListDependencies {
  /** Aliases of files that may be read while they come. */
  readonly read: readonly string[]
  /** Opens presigned URLs of our own storage. */
  readonly direct: OpenUrl
  /** null = playlists and lists stay as they are. */
  readonly lists: ListReader | null
  /** Called once the path of an input is known. */
  readonly onPath: (alias: string, path: string) => void
  /** The working folder; inputs lie beside it. */
  readonly work: string
  /** Whether messages name the alias: that of a stored file is ours, not the user's. */
  readonly named: boolean
  /** Called with each version of the file, before its first byte. */
  readonly onArriving: (input: ArrivingInput) => void
  /**
   * Moves the complete file to the path at which FFmpeg opens it. @returns the path at which it is
   * now
   */
  readonly place: (file: GrowingFile, input: FetchedInput) => Promise<string>
}

/**
 * Fetches one input to the path at which FFmpeg opens it.
 * @throws Failure naming the alias and, if it is about the URL, the URL without its query
 */
export async function fetchInput(
  source: InputSource,
  deps: FetchDependencies,
  signal: AbortSignal,
): Promise<FetchedInput> {
  if (source.missing === true) {
    // One text for a deleted file, another account's file and a file that never existed.
    throw aboutInput(
      source,
      deps,
      'this account has no such file in the storage; if it was deleted, upload it again',
    )
  }
  const partPath = join(deps.work, `../in/${source.alias}.part`)
  const file = await open(partPath, 'w', 0o644)
  const growing = createGrowingFile(partPath)
  const watch = watchInput(source, deps, (fileName) => {
    const path = inputPath(source.alias, fileName)
    deps.onArriving({ alias: source.alias, path, file: growing })
  })
  const url = new URL(source.stored ?? directLink(new URL(source.url)).href)
  const turn = deps.turns.enter(url.origin)
  try {
    const bytes = await fetchFile({
      url,
      turn,
      open: source.stored === null ? deps.guarded : deps.direct,
      file,
      effects: deps.effects,
      signal,
      watch,
      growing,
      isRead: deps.read.includes(source.alias),
    })
    const fetched = watch.finish()
    const { fileName } = fetched
    // Files that it names may come from the same server.
    turn.leave()
    const list = await openedList(source, deps, { ...fetched, path: partPath })
    const path = inputPath(source.alias, list?.localName ?? fileName)
    deps.onPath(source.alias, path)
    const all = await list?.fetch(signal)
    const input = { alias: source.alias, path, fileName, bytes: all ?? bytes }
    growing.finish()
    return { ...input, path: await deps.place(growing, input) }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw error.status === 'UNREACHABLE_INPUT_FILE'
      ? aboutUrl(source, deps, error)
      : new Failure(error.status, prefix(source, deps) + error.message, { cause: error })
  } finally {
    turn.leave()
    await file.close()
  }
}

function openedList(
  { alias, stored }: InputSource,
  deps: FetchDependencies,
  fetched: { path: string; url: string; fileName: string; start: Buffer },
): Promise<OpenedList | null> | null {
  const { lists } = deps
  const { path, url, fileName, start } = fetched
  const kind = lists?.concat.includes(alias) === true ? 'concat' : listKind(start, fileName)
  if (lists === null || kind === null) return null
  return lists.open({ alias, kind, path, url, isStored: stored !== null }, deps)
}

/** Checks name, size and first bytes as they come, and refuses as early as each allows. */
function watchInput(
  source: InputSource,
  { budget, fileBytes }: FetchDependencies,
  onAccepted: (fileName: string) => void,
): FetchWatch & { finish(): { fileName: string; url: string; start: Buffer } } {
  let [fileName, reachedUrl] = ['', '']
  let announced: number | null = null
  let reserved = 0
  let start: Buffer = Buffer.alloc(0)

  function checkSize(bytes: number, atLeast: string): void {
    if (fileBytes !== null && bytes > fileBytes) {
      const size = `${atLeast}${megabytes(bytes)} MB`
      throw new Failure(
        'INPUT_TOO_LARGE',
        `${size}, the plan allows ${megabytes(fileBytes)} MB per file`,
      )
    }
  }
  function reserve(bytes: number): void {
    budget.take(bytes)
    reserved += bytes
  }
  function refuseWebPage(): void {
    if (source.stored !== null || !looksLikeWebPage(start, fileName)) return
    const advice = shareAdvice(new URL(source.url))
    const reason = advice === null ? '' : `: ${advice}`
    throw new Failure('UNREACHABLE_INPUT_FILE', `answered a web page${reason}`)
  }

  return {
    onVersion(version, names) {
      const chosen = chooseFileName(source, names)
      if (chosen === null) throw new NoFileName()
      fileName = chosen
      reachedUrl = source.stored === null ? names.url : source.url
      budget.giveBack(reserved)
      reserved = 0
      start = Buffer.alloc(0)
      announced = version.totalBytes
      checkSize(announced ?? 0, '')
      reserve(announced ?? 0)
      onAccepted(fileName)
    },
    onPiece(piece, position) {
      if (announced === null) {
        checkSize(position + piece.length, 'over ')
        reserve(piece.length)
      }
      if (position !== start.length || start.length >= sniffedBytes) return
      start = Buffer.concat([start, piece.subarray(0, sniffedBytes)])
      if (start.length >= sniffedBytes) refuseWebPage()
    },
    finish() {
      refuseWebPage()
      return { fileName, url: reachedUrl, start }
    },
  }
}

class NoFileName extends Failure {
  constructor() {
    super('UNREACHABLE_INPUT_FILE', noFileName)
  }
}

function aboutUrl(source: InputSource, deps: FetchDependencies, error: Failure): Failure {
  if (error instanceof NoFileName) return aboutInput(source, deps, error.message)
  return aboutInput(source, deps, `${withoutQuery(source.url)} ${error.message}`, error)
}

function aboutInput(
  source: InputSource,
  deps: FetchDependencies,
  message: string,
  cause?: Failure,
): Failure {
  return new Failure('UNREACHABLE_INPUT_FILE', prefix(source, deps) + message, { cause })
}

function prefix({ alias }: InputSource, { named }: FetchDependencies): string {
  return named ? `${alias}: ` : ''
}
