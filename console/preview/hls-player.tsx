import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '../controls/icons.tsx'
import { StorageRefusal } from './storage-refusal.tsx'
import type { ReadPlaylist } from './hls-library.ts'

interface Props {
  readonly url: string
  readonly name: string
  /** Given for a private playlist, which the browser itself cannot request. */
  readonly read: ReadPlaylist | null
}

/** `native`: the browser itself plays; `asked`: the library waits for a click; `library`: it plays. */
type Mode = 'native' | 'asked' | 'library'

/**
 * HLS by the browser itself where it can: that needs no CORS. Otherwise by hls.js, which is loaded when
 * the user wants to play, since it is five times the size of the console.
 */
export function HlsPlayer({ url, name, read }: Props) {
  const mode = useSignal<Mode>(read === null && playsHls() ? 'native' : 'asked')
  const video = useRef<HTMLVideoElement>(null)
  if (mode.value === 'asked') {
    return (
      <button type="button" class="play" onClick={() => (mode.value = 'library')}>
        <Icon name="play" />
        Play {name}
      </button>
    )
  }
  if (mode.value === 'library') return <LibraryPlayer url={url} name={name} read={read} />
  return (
    <video
      ref={video}
      class="preview"
      src={url}
      controls
      preload="metadata"
      playsInline
      aria-label={name}
      onError={() => {
        const wantsToPlay = video.current?.paused === false
        mode.value = wantsToPlay ? 'library' : 'asked'
      }}
    />
  )
}

function playsHls(): boolean {
  return document.createElement('video').canPlayType('application/vnd.apple.mpegurl') !== ''
}

function LibraryPlayer({ url, name, read }: Props) {
  const video = useRef<HTMLVideoElement>(null)
  const problem = useSignal<'unreadable' | 'unplayable' | null>(null)
  useEffect(() => {
    let stop: (() => void) | null = null
    let isOver = false
    const begin = async () => {
      const { playHls } = await import('./hls-library.ts')
      if (isOver || video.current === null) return
      stop = playHls(video.current, url, read, (found) => (problem.value = found))
    }
    void begin().catch(() => (problem.value = 'unplayable'))
    return () => {
      isOver = true
      stop?.()
    }
  }, [url])
  if (problem.value === 'unreadable') return <StorageRefusal url={url} />
  if (problem.value === 'unplayable') {
    return <p class="note">This browser does not play the format of this playlist.</p>
  }
  return <video ref={video} class="preview" controls playsInline aria-label={name} />
}
