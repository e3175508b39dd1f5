/** Scripts of a web page that knows nothing of the service but URLs. */
export const playerPage = `<!doctype html>
<title>Player</title>
<script>
/** Reads some bytes and what the answer says of the whole. */
async function readRange(url) {
  const response = await fetch(url, { headers: { Range: 'bytes=0-9' } })
  const bytes = await response.arrayBuffer()
  const { headers, status } = response
  return { status, length: bytes.byteLength, range: headers.get('content-range') }
}

/** Sends a file in parts by the script of docs/uploads.md. */
async function upload(answer, text) {
  const { sendParts } = await import('/uploads.mjs')
  return { parts: await sendParts(new File([text], 'clip.mp4', { type: 'video/mp4' }), answer) }
}
</script>
`
