import { readFileSync } from 'node:fs'
import { quickAjv } from '../json/quick-ajv.ts'
import { isSection, mergedSchema, sharedSchema } from './settings-schema.ts'
import type { Environment } from './environment.ts'
import type { SettingsSchema } from './settings-schema.ts'
import type { SharedConfig } from './shared-config.ts'

interface HasEnvironment {
  readonly environment: Environment
}

/** Settings that both servers read. */
export type SharedSettings = SharedConfig & HasEnvironment

/** The settings of a program: those of its own schema and the shared ones. */
export type Settings<Own> = Own & SharedSettings

/** Settings do not describe a process that could run; the message names every mistake. */
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

/** @throws InvalidSettings without the file that the environment names */
export function readConfig({ CLOUD_FFMPEG_CONFIG: file }: Environment): unknown {
  if (!file) {
    throw new InvalidSettings([
      'CLOUD_FFMPEG_CONFIG must be the path of config.json; it is not set: use the Deployment of the chart, which sets it',
    ])
  }
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new InvalidSettings([
      `CLOUD_FFMPEG_CONFIG must name a JSON file; got '${file}': ${String(error)}; mount the ConfigMap of the chart there`,
    ])
  }
}

/**
 * The settings in `config` with their defaults. Unknown ones are ignored: during an upgrade or a rollback a pod of the other
 * version can start with the ConfigMap of this one.
 * @throws InvalidSettings with all mistakes at once: a pod that must be restarted for each of
 *   them costs its operator an afternoon
 */
export function settingsFrom<Own>(
  own: SettingsSchema,
  config: unknown,
  environment: Environment,
): Settings<Own> {
  const ajv = quickAjv({
    allErrors: true,
    useDefaults: true,
    verbose: true,
    allowUnionTypes: true,
    strictTypes: false,
    keywords: ['derived', 'tsType'],
  })
  const validate = ajv.compile<Own & SharedConfig>(strict(mergedSchema(sharedSchema, own)))
  const values = structuredClone(config)
  if (validate(values)) return { ...values, environment }
  throw new InvalidSettings((validate.errors ?? []).map(sentenceFor))
}

/** A section is an object that may be left out, and a setting without a default is required. */
function strict(section: SettingsSchema): SettingsSchema {
  const properties = Object.entries(section.properties ?? {})
  const required = properties
    .filter(([, each]) => !isSection(each) && !('default' in each))
    .map(([name]) => name)
  const each = properties.map(([name, schema]): [string, SettingsSchema] => [
    name,
    isSection(schema) ? { ...strict(schema), default: {} } : schema,
  ])
  return { ...section, type: 'object', required, properties: Object.fromEntries(each) }
}

interface Mistake {
  readonly instancePath: string
  readonly keyword: string
  readonly message?: string
  readonly params: Readonly<Record<string, unknown>>
  readonly data?: unknown
}

function sentenceFor({ instancePath, keyword, message, params, data }: Mistake): string {
  const section = instancePath.slice(1).replaceAll('/', '.')
  if (keyword === 'required') {
    const missing = [section, String(params['missingProperty'])].filter((part) => part !== '')
    return `${missing.join('.')} must be set; it is not: add it to the values of the chart, or use the chart of this version, which derives it`
  }
  const allowed = params['allowedValues']
  const list = Array.isArray(allowed) ? `: ${allowed.map(String).join(', ')}` : ''
  return `${section} ${message ?? keyword}${list}; got ${JSON.stringify(data)}: correct it in the values of the chart`
}
