/** Scripts of a web page that knows nothing of the service but URLs. */
export const playerPage = `<!doctype html>
<title>Player</title>
<script>
/** Plays an HLS playlist of fragmented MP4 by Media Source Extensions, to its end. */
async function play(manifestUrl) {
  const manifest = await (await fetch(manifestUrl)).text()
  const [, init] = /#EXT-X-MAP:URI="([^"]+)"/.exec(manifest)
  const segments = manifest.split('\\n').filter((line) => line !== '' && !line.startsWith('#'))
  const video = document.createElement('video')
  video.muted = true
  document.body.append(video)
  const source = new MediaSource()
  video.src = URL.createObjectURL(source)
  await once(source, 'sourceopen')
  const buffer = source.addSourceBuffer('video/mp4; codecs="avc1.42E01E"')
  for (const name of [init, ...segments]) {
    const response = await fetch(new URL(name, manifestUrl))
    const appended = once(buffer, 'updateend')
    buffer.appendBuffer(await response.arrayBuffer())
    await appended
  }
  source.endOfStream()
  const ended = once(video, 'ended')
  await video.play()
  await ended
  return { segments: segments.length, width: video.videoWidth, seconds: video.currentTime }
}

/** Reads some bytes and what the answer says of the whole. */
async function readRange(url) {
  const response = await fetch(url, { headers: { Range: 'bytes=0-9' } })
  const bytes = await response.arrayBuffer()
  const { headers, status } = response
  return { status, length: bytes.byteLength, range: headers.get('content-range') }
}

/** PUTs a part as a form's file would be, with its type. */
async function putPart(url, text) {
  const body = new Blob([text], { type: 'video/mp4' })
  const response = await fetch(url, { method: 'PUT', body })
  return { status: response.status, etag: response.headers.get('etag') }
}

function once(target, name) {
  return new Promise((done) => target.addEventListener(name, done, { once: true }))
}
</script>
`
