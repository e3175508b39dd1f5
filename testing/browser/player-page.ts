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

/** PUTs a part as a form's file would be, with its type. */
async function putPart(url, text) {
  const body = new Blob([text], { type: 'video/mp4' })
  const response = await fetch(url, { method: 'PUT', body })
  return { status: response.status, etag: response.headers.get('etag') }
}
</script>
`
