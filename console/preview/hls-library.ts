import Hls from 'hls.js'
import type { LoaderCallbacks, LoaderConfiguration, PlaylistLoaderContext } from 'hls.js'

/** @returns the text of a private playlist with presigned segments, by its path beside the first one */
export type ReadPlaylist = (path: string) => Promise<string>

/**
 * Plays a playlist by Media Source Extensions.
 * @param read given for a private playlist, in place of requests to the storage
 * @param onProblem `unreadable`: the storage does not let this page read it, or does not answer
 * @returns a function that ends it
 */
export function playHls(
  video: HTMLVideoElement,
  url: string,
  read: ReadPlaylist | null,
  onProblem: (problem: 'unreadable' | 'unplayable') => void,
): () => void {
  if (!Hls.isSupported()) {
    onProblem('unplayable')
    return () => undefined
  }
  // The policy of the page has no place for a worker, whose URL is a sink of Trusted Types.
  const player = new Hls({
    enableWorker: false,
    ...(read === null ? {} : { pLoader: playlistLoader(url, read) }),
  })
  let hasRecovered = false
  player.on(Hls.Events.MANIFEST_PARSED, () => {
    // The browser may want a second click; the controls are there for it.
    void video.play().catch(() => undefined)
  })
  player.on(Hls.Events.ERROR, (_event, { fatal, type }) => {
    if (!fatal) return
    if (type === Hls.ErrorTypes.MEDIA_ERROR && !hasRecovered) {
      hasRecovered = true
      return player.recoverMediaError()
    }
    player.destroy()
    onProblem(type === Hls.ErrorTypes.NETWORK_ERROR ? 'unreadable' : 'unplayable')
  })
  player.loadSource(url)
  player.attachMedia(video)
  return () => player.destroy()
}

function playlistLoader(first: string, read: ReadPlaylist) {
  return class extends Hls.DefaultConfig.loader {
    #isOver = false
    override context: PlaylistLoaderContext | null = null

    override load(
      context: PlaylistLoaderContext,
      _config: LoaderConfiguration,
      callbacks: LoaderCallbacks<PlaylistLoaderContext>,
    ): void {
      this.context = context
      const { url } = context
      const below = url.slice(new URL('.', first).href.length)
      const failed = (error: unknown) =>
        callbacks.onError({ code: 0, text: String(error) }, context, null, this.stats)
      read(decodeURIComponent(below)).then(
        (data) => this.#isOver || callbacks.onSuccess({ url, data }, this.stats, context, null),
        (error: unknown) => this.#isOver || failed(error),
      )
    }

    override abort(): void {
      this.#isOver = true
      super.abort()
    }

    override destroy(): void {
      this.#isOver = true
      super.destroy()
    }
  }
}
