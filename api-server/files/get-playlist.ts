import { posix } from 'node:path'
import { endpoint } from '../http/endpoint.ts'
import { notFound, refusal } from '../http/errors.ts'
import { namedFiles, withNames } from './signed-playlist.ts'
import type { Store } from '../../common/store/store.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { ApiObjectStore } from './lazy-object-store.ts'

interface Deps {
  readonly store: Pick<Store, 'findFile'>
  readonly objects: Pick<ApiObjectStore, 'head' | 'readBytes' | 'presignGets'>
}

/** A film of eleven hours in segments of four seconds; signing takes 0.03 ms each. */
const mostNames = 10_000
/** A playlist of so many names, with long ones, is smaller. */
const mostBytes = 4 * 1024 ** 2

/**
 * `GET /v1/files/{file_id}/playlist`: a private playlist of HLS whose segments have presigned URLs, since one of the
 * playlist opens it alone.
 */
export function getFilePlaylist({ store, objects }: Deps): Endpoint {
  return endpoint('getFilePlaylist', async ({ path, query }, { key: caller, fields }) => {
    const fileId = path.file_id.toLowerCase()
    fields['file_id'] = fileId
    const file = await store.findFile(caller.account.accountId, fileId)
    if (file === null) throw notFound('File', fileId)
    const { key, deletedAt, isPrivate } = file
    if (key === null || deletedAt !== null) throw notFound('Playlist', fileId)
    if (!isPrivate) throw isPublic
    const root = posix.dirname(key)
    const wanted = query.path === undefined ? key : posix.join(root, query.path)
    if (!wanted.endsWith('.m3u8')) throw noPlaylist
    if (!wanted.startsWith(`${root}/`)) throw notFound('Playlist', query.path ?? '')
    const seconds = query.presigned_ttl_seconds ?? file.presignedTtlSeconds
    if (seconds === null) throw noLifetime
    const stored = await objects.head(wanted)
    if (stored === null) throw notFound('Playlist', query.path ?? fileId)
    if (stored.sizeBytes > mostBytes) throw tooManyNames
    const bytes = await objects.readBytes({ key: wanted, maxBytes: mostBytes })
    if (bytes === null) throw notFound('Playlist', query.path ?? fileId)
    const text = Buffer.from(bytes).toString('utf8')
    const named = [...namedFiles(text, posix.dirname(wanted), root)]
    if (named.length > mostNames) throw tooManyNames
    const keys = named.map(([, one]) => one)
    const urls = await objects.presignGets(keys, seconds)
    const names = new Map(named.map(([name], index) => [name, urls[index] ?? name]))
    return {
      status: 200,
      body: undefined,
      text: withNames(text, names),
      headers: { 'Content-Type': 'application/vnd.apple.mpegurl; charset=utf-8' },
      secret: true,
    }
  })
}

const isPublic = refusal(409, 'The file is public: players open its storage_url')
const noPlaylist = refusal(
  409,
  'The file is not a playlist of HLS: its name must end in .m3u8; segments of DASH have no names to sign',
)
const tooManyNames = refusal(
  409,
  `The playlist names more than ${mostNames} files: write longer segments, as by -hls_time 10`,
)
const noLifetime = refusal(422, [
  {
    loc: ['query', 'presigned_ttl_seconds'],
    msg: 'Input should be the lifetime of the URLs in seconds: the playlist is private',
    type: 'value_error',
  },
])
