import { Ajv2020 } from 'ajv/dist/2020.js'
import { addFormats } from './formats.ts'
import { unpackStrings } from './json-strings.ts'
import { lenient } from './lenient.ts'
import { mistakesFrom } from './mistakes.ts'
import {
  ignoredFieldTexts,
  parameterNames,
  refusedFieldMistakes,
  unknownFields,
} from './unknown-fields.ts'
import type { Options, ValidateFunction } from 'ajv/dist/2020.js'
import type { JsonObject } from '../../common/json/json-object.ts'
import type { ValidationMistake } from '../../common/openapi/openapi-types.ts'

export type Checked<T> =
  | ({ readonly ok: true; readonly value: T; readonly warnings: readonly string[] } & Ignored)
  | ({ readonly ok: false; readonly mistakes: ValidationMistake[] } & Ignored)

interface Ignored {
  /** Names of query parameters that the call does not have. */
  readonly ignoredParameters: readonly string[]
}

/**
 * A validator that fills in defaults and converts texts. Its schema is compiled for the first request: all of them
 * together are a tenth of a server's start.
 */
export function validatorFor<T>(schema: JsonObject): (request: unknown) => Checked<T> {
  let compiled: ValidateFunction<T> | null = null
  return (sent) => {
    const { request, warnings } = unpackStrings(schema, sent)
    const validate = (compiled ??= ajv.compile<T>(schema))
    const empty: string[] = []
    const value = lenient(schema, request, (loc) => empty.push(loc.join('.')))
    const valid = validate(value)
    const unknown = unknownFields(schema, request)
    const refused = refusedFieldMistakes(unknown)
    const ignoredParameters = parameterNames(unknown)
    if (valid && refused.length === 0) {
      const texts = [...warnings, ...ignoredFieldTexts(unknown), ...empty.map(emptyText)]
      return { ok: true, value, warnings: texts, ignoredParameters }
    }
    const mistakes = [...mistakesFrom(validate.errors ?? [], empty), ...refused]
    return { ok: false, mistakes, ignoredParameters }
  }
}

function emptyText(place: string): string {
  return `${place} is empty and counts as absent`
}

/** @param options `meta: false`: a test checks the schemas against JSON Schema, not each start of a server */
export function createAjv(options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({
    ...options,
    allErrors: true,
    useDefaults: true,
    // Errors then include their schema, which has our own messages.
    verbose: true,
    allowUnionTypes: true,
    strictTypes: false,
  })
  ajv.addVocabulary([
    'example',
    'x-elsewhere',
    'x-error-advice',
    'x-error-message',
    'x-error-type',
    'x-guesses',
    'x-missing',
    'x-refused-guesses',
  ])
  ajv.addKeyword({
    keyword: 'x-max-bytes',
    type: 'string',
    schemaType: 'number',
    validate: (limit: number, text: string) => Buffer.byteLength(text) <= limit,
  })
  ajv.addKeyword({
    keyword: 'x-not-blank',
    type: 'string',
    schemaType: 'boolean',
    validate: (wanted: boolean, text: string) => !wanted || text.trim() !== '',
  })
  addFormats(ajv)
  return ajv
}

const ajv = createAjv({ meta: false, validateSchema: false })
