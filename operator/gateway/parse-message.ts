import { quickAjv } from '../../common/json/quick-ajv.ts'
import schema from '../../common/gateway/messages.schema.json' with { type: 'json' }
import type {
  CompleteRequest,
  FfmpegContainerLost,
  PartsRequest,
  ProgressReport,
  Result,
  UploadRequest,
} from '../../common/gateway/messages.ts'
import type { IncomingMessage } from 'node:http'

/** The message in a body, or what is wrong with it. */
export type Parsed<T> = { readonly message: T } | { readonly problem: string }

const ajv = quickAjv({ strict: false }).addSchema(schema)

export const parseProgressReport = parser<ProgressReport>('ProgressReport')
export const parseUploadRequest = parser<UploadRequest>('UploadRequest')
export const parsePartsRequest = parser<PartsRequest>('PartsRequest')
export const parseCompleteRequest = parser<CompleteRequest>('CompleteRequest')
export const parseResult = parser<Result>('Result')
export const parseFfmpegContainerLost = parser<FfmpegContainerLost>('FfmpegContainerLost')

function parser<T>(definition: string): (body: unknown) => Parsed<T> {
  const validate = ajv.compile<T>({ $ref: `gateway-messages#/$defs/${definition}` })
  return (body) =>
    validate(body)
      ? { message: body }
      : { problem: ajv.errorsText(validate.errors, { dataVar: definition }) }
}

export type JsonBody =
  | { readonly kind: 'read'; readonly value: unknown }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'malformed' }

/** Stops reading where the limit is passed; an empty body is undefined. */
export async function readJsonBody(request: IncomingMessage, limit: number): Promise<JsonBody> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return { kind: 'too-large' }
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      const buffer = Buffer.from(chunk as Uint8Array)
      bytes += buffer.length
      if (bytes > limit) return { kind: 'too-large' }
      chunks.push(buffer)
    }
    const text = Buffer.concat(chunks).toString('utf8')
    return { kind: 'read', value: text === '' ? undefined : JSON.parse(text) }
  } catch {
    // A truncated body and invalid JSON are the same error to the caller.
    return { kind: 'malformed' }
  }
}
