import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import apiServerFile from '../../api-server/settings.schema.json' with { type: 'json' }
import { isSection, mergedSchema, sharedSchema } from '../../common/settings/settings-schema.ts'
import type { SettingsSchema } from '../../common/settings/settings-schema.ts'
import operatorFile from '../../operator/settings.schema.json' with { type: 'json' }

const programs: Readonly<Record<string, SettingsSchema>> = {
  operator: operatorFile,
  'api-server': apiServerFile,
}

/**
 * The values of the chart: settings of the programs, and in each section after them the values that only the chart reads.
 * Sections have the order of charts/deployment.schema.json.
 */
export async function chartValues(root: string): Promise<SettingsSchema> {
  const text = await readFile(resolve(root, 'charts/deployment.schema.json'), 'utf8')
  const deployment = JSON.parse(text) as SettingsSchema
  const settings = mergedSchema(sharedSchema, ...Object.values(programs))
  const { title, description, $defs, properties } = deployment
  const { $comment: _, ...merged } = mergedSchema(withoutDerived(settings), deployment)
  const ordered = { ...properties, ...merged.properties }
  return { ...merged, title, description, $defs, properties: ordered }
}

/** Names of the values that each program reads, as trees, for the template of config.json. */
export function settingNames(): string {
  const names = Object.entries(programs).map(([program, schema]) => {
    const sections = namesIn(withoutDerived(mergedSchema(sharedSchema, schema))) ?? {}
    return `  "${program}": {\n${linesOf(sections, '    ')}\n  }`
  })
  return `{\n${names.join(',\n')}\n}\n`
}

/** null for a setting that may be null, which helm leaves out of the values. */
function namesIn(schema: SettingsSchema): object | null {
  if (!isSection(schema))
    return JSON.stringify(schema['type'] ?? schema['enum']).includes('null') ? null : {}
  const { properties = {} } = schema
  return Object.fromEntries(
    Object.entries(properties).map(([name, under]) => [name, namesIn(under)]),
  )
}

function withoutDerived(schema: SettingsSchema): SettingsSchema {
  if (!isSection(schema)) return schema
  const kept = Object.entries(schema.properties ?? {})
    .filter(([, under]) => under.derived !== true)
    .map(([name, under]): [string, SettingsSchema] => [name, withoutDerived(under)])
    .filter(([, under]) => !isSection(under) || Object.keys(under.properties ?? {}).length > 0)
  return { ...schema, properties: Object.fromEntries(kept) }
}

/** values.schema.json: one line for each section and definition, since it is read by programs alone. */
export function valuesSchema(values: SettingsSchema): string {
  const parts = Object.entries(closed(values)).map(([key, value]) =>
    key === 'properties' || key === '$defs'
      ? `"${key}": {\n${linesOf(value as object, '    ')}\n  }`
      : `"${key}": ${JSON.stringify(value)}`,
  )
  return `{\n  ${parts.join(',\n  ')}\n}\n`
}

function linesOf(values: object, indent: string): string {
  return Object.entries(values)
    .map(([name, value]) => `${indent}"${name}": ${JSON.stringify(value)}`)
    .join(',\n')
}

function closed(schema: SettingsSchema): SettingsSchema {
  const { default: _, tsType: __, properties, $defs, ...rest } = schema
  if (properties === undefined) return rest
  return {
    ...('type' in rest ? {} : { type: 'object' }),
    additionalProperties: false,
    ...rest,
    properties: closedEach(properties),
    ...($defs === undefined ? {} : { $defs: closedEach($defs as typeof properties) }),
  }
}

function closedEach(schemas: NonNullable<SettingsSchema['properties']>) {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, closed(schema)]))
}
