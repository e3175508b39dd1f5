/** The name of the variable that holds the secret; its value is in no sample. */
export const secretVariable = 'CLOUD_FFMPEG_WEBHOOK_SECRET'

/** Receivers that check the signature; each is a whole program. */
export const verifySamples = {
  Node: `import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { verify } from 'cloud-ffmpeg/webhooks'

createServer(async (request, response) => {
  try {
    // The bytes as they came: a parser may change them.
    const body = await buffer(request)
    const { data } = await verify(body, request.headers, process.env.${secretVariable})
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
            event = verify_webhook(body, self.headers, os.environ["${secretVariable}"])
        except WebhookRefused:
            return self.send_error(400)
        print(self.headers["webhook-id"], event["data"])
        self.send_response(204)
        self.end_headers()

HTTPServer(("", 8000), Receiver).serve_forever()`,
} as const
