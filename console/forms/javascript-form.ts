import type { SentRequest } from './sent-request.ts'

/** Code for Node.js, Deno, Bun and browsers, without a package. */
export function asJavaScript({ url, path, body }: SentRequest): string {
  return `// CLOUD_FFMPEG_API_KEY is in the environment: node run.mjs
const service = ${JSON.stringify(url)}
const headers = {
  'Content-Type': 'application/json',
  'X-API-KEY': process.env.CLOUD_FFMPEG_API_KEY,
}

async function call(path, options) {
  const answer = await fetch(service + path, { headers, ...options })
  if (!answer.ok) throw new Error(\`\${answer.status}: \${await answer.text()}\`)
  return answer.json()
}

const request = ${JSON.stringify(body, null, 2)}

const { command_id: id } = await call(${JSON.stringify(path)}, {
  method: 'POST',
  body: JSON.stringify(request),
})
let record
do {
  await new Promise((resolve) => setTimeout(resolve, 1000))
  record = await call(\`/v1/commands/\${id}\`)
} while (!['SUCCESS', 'FAILED'].includes(record.status))
if (record.status === 'FAILED') throw new Error(\`\${record.error_status}: \${record.error_message}\`)
for (const [alias, file] of Object.entries(record.output_files)) console.log(alias, file.storage_url)
`
}
