import { quickAjv } from '../json/quick-ajv.ts'

/** A JSON Schema of one environment variable; its description is the settings table's sentence. */
export type Variable = {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array'
  readonly description: string
  readonly default?: unknown
  /** The process runs without it; its setting is then `undefined`. */
  readonly optional?: true
  /** The variable or the one of the same name with `_FILE` is set. */
  readonly orFile?: true
  readonly [keyword: string]: unknown
}

export type Variables = Readonly<Record<string, Variable>>

/** The type that a variable's schema promises. An object's or array's is its `shape`. */
export type Settings<V extends Variables> = {
  readonly [Name in keyof V]:
    ValueOf<V[Name]> | (V[Name] extends { optional: true } ? undefined : never)
}

type ValueOf<S> = S extends { shape: Shape<infer T> }
  ? T
  : S extends { enum: readonly (infer E)[] }
    ? E
    : S extends { type: 'string' }
      ? string
      : S extends { type: 'integer' | 'number' }
        ? number
        : S extends { type: 'boolean' }
          ? boolean
          : unknown

declare const shapeOf: unique symbol
export interface Shape<T> {
  readonly [shapeOf]?: T
}

/** Names the type that a JSON variable's schema describes. */
export function shape<T>(): Shape<T> {
  return {}
}

/** The environment does not describe a process that could run; the message names every mistake. */
export class InvalidSettings extends Error {
  constructor(mistakes: readonly string[]) {
    super(`invalid settings:\n${mistakes.map((mistake) => `  ${mistake}`).join('\n')}`)
    this.name = 'InvalidSettings'
  }
}

/** Ends the process with status 1 and the message where `read` throws InvalidSettings. */
export function settingsOrExit<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof InvalidSettings)) throw error
    console.error(error.message)
    return process.exit(1)
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Numbers and booleans are converted, objects and arrays are JSON; a variable that is set to the
 * empty string counts as absent, because that is what an unset value renders to in a manifest.
 * @throws InvalidSettings with all mistakes at once: a pod that must be restarted for each of
 *   them costs its operator an afternoon
 */
export function readSettings<const V extends Variables>(
  variables: V,
  environment: Environment,
): Settings<V> {
  const ajv = quickAjv({
    allErrors: true,
    coerceTypes: true,
    useDefaults: true,
    // Facts of the table of settings that the schema does not know.
    keywords: ['optional', 'orFile', 'shape'],
  })
  const validate = ajv.compile<Settings<V>>(schemaFor(variables))
  const { values, mistakes } = valuesFor(variables, environment)
  if (validate(values) && mistakes.length === 0) return values
  throw new InvalidSettings([...mistakes, ...(validate.errors ?? []).map(sentenceFor)])
}

function schemaFor(variables: Variables): object {
  const required = Object.entries(variables)
    .filter(([, variable]) => variable.optional !== true)
    .map(([name]) => name)
  return { type: 'object', required, properties: variables }
}

function valuesFor(
  variables: Variables,
  environment: Environment,
): { values: unknown; mistakes: string[] } {
  const values: Record<string, unknown> = {}
  const mistakes: string[] = []
  for (const [name, { type, orFile }] of Object.entries(variables)) {
    const text = environment[name]
    if (text === undefined || text === '') {
      const file = orFile === true ? environment[`${name}_FILE`] : name
      if (file === undefined || file === '') mistakes.push(`${name}: is not set, nor ${name}_FILE`)
      continue
    }
    if (type !== 'object' && type !== 'array') {
      values[name] = text
      continue
    }
    try {
      values[name] = JSON.parse(text)
    } catch (error) {
      mistakes.push(`${name}: not JSON (${error instanceof Error ? error.message : 'unreadable'})`)
    }
  }
  return { values, mistakes }
}

interface Mistake {
  readonly instancePath: string
  readonly keyword: string
  readonly message?: string
  readonly params: Readonly<Record<string, unknown>>
}

function sentenceFor({ instancePath, keyword, message, params }: Mistake): string {
  if (keyword === 'required') return `${String(params['missingProperty'])}: is not set`
  const at = instancePath.slice(1).replaceAll('/', '.')
  const allowed = params['allowedValues']
  const list = Array.isArray(allowed) ? `: ${allowed.join(', ')}` : ''
  return `${at}: ${message ?? keyword}${list}`
}
