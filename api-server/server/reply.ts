import { sendStream } from '../http/send-stream.ts'
import type { Response } from 'express'
import type { Answer } from '../http/errors.ts'

/** Resolves once the answer was handed to the network, or the client has gone. */
export async function reply(response: Response, answer: Answer): Promise<void> {
  const gone = new Promise<void>((resolve) => {
    response.once('finish', resolve)
    response.once('close', resolve)
    if (response.destroyed) resolve()
  })
  response.status(answer.status)
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value)
  if (answer.stream !== undefined) await sendStream(response, answer.stream)
  else if (answer.text !== undefined) response.send(answer.text)
  else if (answer.body === undefined) response.end()
  else response.json(answer.body)
  return gone
}
