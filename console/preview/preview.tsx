import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { Button } from '../controls/button.tsx'
import { reasonOf } from '../parts/notices.ts'
import { HlsPlayer } from './hls-player.tsx'
import { isMixed } from './storage-refusal.tsx'
import { NoPreview } from './no-preview.tsx'
import { previewKind } from './preview-kind.ts'
import { useSteadyUrl } from './steady-url.ts'
import { mostWaveformMbytes, Waveform } from './waveform.tsx'
import type { FileRecord } from '../../common/openapi/openapi-types.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'

interface Props {
  readonly client: Client
  readonly file: FileRecord
  readonly name: string
  readonly url: string
  readonly read: () => Promise<void>
}

/** Straight from the storage, which needs no CORS for it except to run scripts over the bytes. */
export function Preview({ client, file, name, url, read }: Props) {
  const isBroken = useSignal(false)
  const player = useRef<HTMLMediaElement>(null)
  const steady = useSteadyUrl(url, player, () => (isBroken.value = true))
  const kind = previewKind(file)
  if (kind === 'none') return <NoPreview client={client} file={file} />
  if (isBroken.value) {
    const again = async () => {
      await read()
      isBroken.value = false
    }
    return (
      <div class="note column dense start">
        <p>
          {isMixed(url)
            ? 'The browser blocks this: storage is on http.'
            : 'The browser cannot show this file: it cannot play the format, or the storage does not answer.'}
        </p>
        <Button onClick={again}>Load it again</Button>
      </div>
    )
  }
  const { src, onError } = steady
  switch (kind) {
    case 'image':
      return <img class="preview" src={src} alt={name} loading="lazy" onError={onError} />
    case 'playlist':
      if (!file.is_private) return <HlsPlayer url={src} name={name} read={null} />
      return <PrivatePlaylist client={client} fileId={file.file_id} name={name} />
    case 'audio':
      return (
        <>
          <audio
            ref={player as { current: HTMLAudioElement | null }}
            class="preview"
            src={src}
            controls
            preload="metadata"
            aria-label={name}
            onError={onError}
          />
          {(file.size_mbytes ?? Infinity) <= mostWaveformMbytes && <Waveform url={url} />}
        </>
      )
    case 'video':
      return (
        <video
          ref={player as { current: HTMLVideoElement | null }}
          class="preview"
          src={src}
          controls
          preload="metadata"
          playsInline
          aria-label={name}
          onError={onError}
        />
      )
  }
}

/** URLs of segments outlive a film: a player requests the playlist once. */
const playlistSeconds = 6 * 3600

interface PlaylistProps {
  readonly client: Client
  readonly fileId: string
  readonly name: string
}

/** No URL opens a private playlist with its segments; the service answers its text to this key. */
function PrivatePlaylist({ client, fileId, name }: PlaylistProps) {
  const refusal = useSignal<unknown>(null)
  const read = async (path: string) => {
    const query = path === name ? {} : { path }
    const signed = { presigned_ttl_seconds: playlistSeconds, ...query }
    return client.getFilePlaylist(fileId, signed).catch((error: unknown) => {
      refusal.value = error
      throw error
    })
  }
  if (refusal.value !== null) return <p class="note">{reasonOf(refusal.value)}</p>
  const url = new URL(encodeURIComponent(name), location.origin)
  return <HlsPlayer url={url.href} name={name} read={read} />
}
