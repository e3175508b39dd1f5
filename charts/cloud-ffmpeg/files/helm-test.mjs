// One second of test picture through the API, as a user would ask for it.
// The storage of an evaluation has one address for users and another within the cluster.
const { API_URL: api, API_KEY: key, STORAGE_FOR_USERS, STORAGE_INSIDE } = process.env
const call = async (path, body) => {
  const response = await fetch(`${api}${path}`, {
    headers: { 'X-API-KEY': key },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`)
  return JSON.parse(text)
}

const { command_id: id } = await call('/v1/run-ffmpeg-command', {
  input_files: {},
  output_files: { out_1: 'test.mp4' },
  ffmpeg_command: '-f lavfi -i testsrc2=duration=1:size=320x240 {{out_1}}',
  vcpu_count: 1,
})
console.log(`submitted ${id}`)

let shown
for (;;) {
  const record = await call(`/v1/commands/${id}`)
  const now = [record.status, record.processing_stage].filter(Boolean).join(' / ')
  if (now !== shown) console.log((shown = now))
  if (record.status === 'FAILED') throw new Error(`${record.error_status}: ${record.error_message}`)
  if (record.status === 'SUCCESS') {
    const url = record.output_files.out_1.storage_url
    const inside = STORAGE_INSIDE === undefined ? url : url.replace(STORAGE_FOR_USERS, STORAGE_INSIDE)
    const file = await fetch(inside)
    if (!file.ok) throw new Error(`${inside} answered ${file.status}: is public/ of the bucket open?`)
    console.log(`${url} (${(await file.arrayBuffer()).byteLength} bytes)`)
    break
  }
  await new Promise((again) => setTimeout(again, 500))
}
