import { createReadStream } from 'node:fs'
import { open, unlink, writeFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { Failure } from '../../../../common/domain/failures.ts'
import { runAll } from '../../runtime/run-all.ts'
import { readManifest } from '../manifest/dash-manifest.ts'
import type { Track } from '../manifest/dash-manifest.ts'
import type { Piece } from '../manifest/dash-segments.ts'
import { localManifest, periodList } from '../manifest/local-manifest.ts'
import type { ListedFiles } from './listed-files.ts'
import { segmentExtension } from './segment-extension.ts'

export interface ManifestRequest {
  readonly text: string
  /** URL of the manifest after redirects. */
  readonly url: string
  readonly files: ListedFiles
  readonly signal: AbortSignal
}

interface FetchedPiece extends Piece {
  readonly name: string
}

/**
 * Fetches the streams of a DASH manifest that FFmpeg would play.
 * @returns a manifest with one file for each stream, relative to the folder; of several periods, a list of manifests
 * @throws Failure with a message that continues a sentence about the input
 */
export async function fetchManifest(request: ManifestRequest): Promise<string> {
  const { files, signal } = request
  const periods = readManifest(request.text, request.url)
  const tracks = periods.flatMap((period) => period.tracks)
  files.plan(tracks.reduce((sum, { segments }) => sum + segments.pieces.length, 0))
  const fetched = await runAll(
    signal,
    tracks.map((track) => (stop) => fetchTrack(track, files, stop)),
  )
  const uses = Map.groupBy(fetched.flat(), ({ name }) => name)
  const names = new Map<Track, string>()
  for (const [index, track] of tracks.entries()) {
    names.set(track, await joined(fetched[index] ?? [], uses, files, signal))
  }
  const texts = periods.map((period) => {
    const local = period.tracks.map((track) => ({ track, name: names.get(track) ?? '' }))
    return localManifest(period.seconds, local)
  })
  const [only] = texts
  if (only !== undefined && texts.length === 1) return only
  const paths = texts.map(() => `${files.newPath()}.mpd`)
  await Promise.all(paths.map((path, index) => writeFile(path, texts[index] ?? '')))
  return periodList(
    periods.map(({ seconds }, index) => ({ seconds, name: basename(paths[index] ?? '') })),
  )
}

async function fetchTrack(
  { segments: { pieces, isCounted } }: Track,
  files: ListedFiles,
  signal: AbortSignal,
): Promise<FetchedPiece[]> {
  const fetched = await runAll(
    signal,
    pieces.map((piece, index) => async (stop) => {
      const { url } = piece
      const isLast = index === pieces.length - 1
      try {
        const extension = (path: string) => segmentExtension(path, url)
        return [{ ...piece, name: await files.segment({ url, extension }, stop) }]
      } catch (error) {
        if (isLast && isCounted && isMissing(error)) return []
        throw error
      }
    }),
  )
  return fetched.flat()
}

function isMissing(error: unknown): boolean {
  return error instanceof Failure && /, which answered (?:404|410) /.test(error.message)
}

/**
 * Puts the pieces of a stream into one file. Each is deleted once it is copied for the last time, so that
 * the stream takes its place on the disk once.
 * @returns the name of the file
 */
async function joined(
  pieces: readonly FetchedPiece[],
  uses: ReadonlyMap<string, FetchedPiece[]>,
  files: ListedFiles,
  signal: AbortSignal,
): Promise<string> {
  const [first] = pieces
  if (first === undefined) throw new Failure('INVALID_INPUT_FILE', 'the manifest names no segments')
  if (pieces.length === 1 && first.range === null) return first.name
  const path = files.newPath() + extname(first.name)
  await using file = await open(path, 'w', 0o644)
  for (const { name, range } of pieces) {
    signal.throwIfAborted()
    const [start, end] = range ?? []
    const source = createReadStream(files.inFolder(name), { start, end })
    for await (const chunk of source as AsyncIterable<Buffer>) await file.appendFile(chunk)
    const left = uses.get(name)
    left?.pop()
    if (left?.length === 0) await unlink(files.inFolder(name))
  }
  return basename(path)
}
