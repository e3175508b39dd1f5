import { useSignal } from '@preact/signals'
import { CopyButton } from '../parts/copy-button.tsx'

/** The name of the variable, never its value. */
const variable = 'CLOUD_FFMPEG_WEBHOOK_SECRET'

const codes = {
  Node: `import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { verify } from 'cloud-ffmpeg/webhooks'

createServer(async (request, response) => {
  try {
    // The bytes as they came: a parser may change them.
    const body = await buffer(request)
    const { data } = await verify(body, request.headers, process.env.${variable})
    console.log(request.headers['webhook-id'], data)
    response.writeHead(204).end()
  } catch {
    response.writeHead(400).end()
  }
}).listen(8000)`,
  Python: `import os
from http.server import BaseHTTPRequestHandler, HTTPServer
from cloud_ffmpeg import WebhookRefused, verify_webhook  # cli/python/cloud_ffmpeg.py

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            event = verify_webhook(body, self.headers, os.environ["${variable}"])
        except WebhookRefused:
            return self.send_error(400)
        print(self.headers["webhook-id"], event["data"])
        self.send_response(204)
        self.end_headers()

HTTPServer(("", 8000), Receiver).serve_forever()`,
} as const

type Language = keyof typeof codes

/** A receiver that checks the signature; each is a whole program. */
export function VerifyCode() {
  const language = useSignal<Language>('Node')
  const code = codes[language.value]
  return (
    <details class="part">
      <summary>Verify events</summary>
      <p class="muted">
        Store the secret as {variable}. An event may come twice: webhook-id is the same then.
      </p>
      <div class="actions">
        <div class="chips" role="group" aria-label="Language">
          {(Object.keys(codes) as Language[]).map((name) => (
            <button
              key={name}
              type="button"
              class="chip"
              aria-pressed={language.value === name}
              onClick={() => (language.value = name)}
            >
              {name}
            </button>
          ))}
        </div>
        <CopyButton text={code} what="code" worded />
      </div>
      <pre class="code" tabIndex={0} aria-label={`Receiver in ${language.value}`}>
        {code}
      </pre>
    </details>
  )
}
