import { useSignal } from '@preact/signals'
import { StorageRefusal } from './storage-refusal.tsx'
import { columns, waveformPath } from './waveform-path.ts'

/** Decoded sound takes some twenty times its size in memory. */
export const mostWaveformMbytes = 30

type State =
  | { readonly kind: 'none' | 'reading' | 'unreadable' | 'unplayable' }
  | { readonly kind: 'shown'; readonly path: string }

/** Drawn on request, since the whole file is read for it. */
export function Waveform({ url }: { readonly url: string }) {
  const state = useSignal<State>({ kind: 'none' })
  const draw = async () => {
    state.value = { kind: 'reading' }
    const bytes = await bytesOf(url)
    if (bytes === null) {
      state.value = { kind: 'unreadable' }
      return
    }
    try {
      const sound = await new OfflineAudioContext(1, 1, 44_100).decodeAudioData(bytes)
      const channels = Array.from({ length: sound.numberOfChannels }, (_, index) =>
        sound.getChannelData(index),
      )
      state.value = { kind: 'shown', path: waveformPath(channels) }
    } catch {
      state.value = { kind: 'unplayable' }
    }
  }
  switch (state.value.kind) {
    case 'none':
      return (
        <button type="button" class="button waveform-button" onClick={() => void draw()}>
          Show the waveform
        </button>
      )
    case 'reading':
      return <p class="note">Reading the file.</p>
    case 'unreadable':
      return <StorageRefusal url={url} />
    case 'unplayable':
      return <p class="note">This browser does not decode the file.</p>
    case 'shown':
      return (
        <svg
          class="waveform"
          viewBox={`0 0 ${columns} 100`}
          preserveAspectRatio="none"
          role="img"
          aria-label="Waveform"
        >
          <path d={state.value.path} />
        </svg>
      )
  }
}

/** null where the storage does not let this page read it. */
async function bytesOf(url: string): Promise<ArrayBuffer | null> {
  try {
    const response = await fetch(url)
    return response.ok ? await response.arrayBuffer() : null
  } catch {
    return null
  }
}
