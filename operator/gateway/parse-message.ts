import { Ajv2020 } from 'ajv/dist/2020.js'
import schema from '../../common/gateway/messages.schema.json' with { type: 'json' }
import type {
  CompleteRequest,
  FfmpegContainerLost,
  PartsRequest,
  ProgressReport,
  Result,
  UploadRequest,
} from '../../common/gateway/messages.ts'

/** The message in a body, or what is wrong with it. */
export type Parsed<T> = { readonly message: T } | { readonly problem: string }

const ajv = new Ajv2020({ strict: false }).addSchema(schema)

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
