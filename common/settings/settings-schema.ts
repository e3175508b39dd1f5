import { planSchema } from '../domain/plans.ts'
import sharedFile from './settings.schema.json' with { type: 'json' }

/** A JSON Schema of settings: a section has `properties` and no default, everything else is one setting. */
export interface SettingsSchema {
  readonly properties?: Readonly<Record<string, SettingsSchema>>
  readonly default?: unknown
  /** The chart derives it, or only tests set it: it is not among the values of the chart. */
  readonly derived?: boolean
  /** The type in TypeScript where the schema says less. */
  readonly tsType?: string
  readonly [keyword: string]: unknown
}

const shared: SettingsSchema = sharedFile

/** The settings of both servers, with the schema of a plan in that of `plans`. */
export const sharedSchema: SettingsSchema = {
  ...shared,
  properties: {
    ...shared.properties,
    plans: { ...shared.properties?.['plans'], additionalProperties: planSchema },
  },
}

/** One schema with the settings of all; the first that describes a section is kept. */
export function mergedSchema(...schemas: readonly SettingsSchema[]): SettingsSchema {
  return schemas.reduce((merged, schema) => ({
    ...schema,
    ...merged,
    properties: mergedProperties(merged.properties, schema.properties),
  }))
}

function mergedProperties(
  one: SettingsSchema['properties'] = {},
  other: SettingsSchema['properties'] = {},
): Record<string, SettingsSchema> {
  const added = Object.entries(other).map(([name, schema]): [string, SettingsSchema] => {
    const known = one[name]
    return [
      name,
      known === undefined ? schema : isSection(schema) ? mergedSchema(known, schema) : known,
    ]
  })
  return { ...one, ...Object.fromEntries(added) }
}

export function isSection(schema: SettingsSchema): boolean {
  return schema.properties !== undefined && !('default' in schema)
}
