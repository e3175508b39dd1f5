import Hls from 'hls.js'

/**
 * Plays a playlist by Media Source Extensions.
 * @param onProblem `unreadable`: the storage does not let this page read it, or does not answer
 * @returns a function that ends it
 */
export function playHls(
  video: HTMLVideoElement,
  url: string,
  onProblem: (problem: 'unreadable' | 'unplayable') => void,
): () => void {
  if (!Hls.isSupported()) {
    onProblem('unplayable')
    return () => undefined
  }
  // The policy of the page has no place for a worker, whose URL is a sink of Trusted Types.
  const player = new Hls({ enableWorker: false })
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
