import { parseDocument } from 'yaml'

interface Schema {
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
}

/**
 * Rows `| value | default | meaning |` of a chart: names and meanings from values.schema.json,
 * defaults from values.yaml.
 * @throws Error if a value has no description
 */
export function valuesTable(schema: Schema, valuesYaml: string): string {
  const values: unknown = parseDocument(valuesYaml).toJS()
  const rows = leaves(schema, values, [])
  return ['| value | default | meaning |', '|---|---|---|', ...rows].join('\n')
}

function leaves(schema: Schema, value: unknown, path: readonly string[]): string[] {
  const name = path.join('.')
  if (schema.properties !== undefined && name !== '') {
    return Object.entries(schema.properties).flatMap(([key, under]) =>
      leaves(under, field(value, key), [...path, key]),
    )
  }
  if (schema.properties !== undefined) {
    return Object.entries(schema.properties)
      .filter(([key]) => key !== 'global')
      .flatMap(([key, under]) => leaves(under, field(value, key), [key]))
  }
  if (schema.description === undefined) throw new Error(`value ${name} has no description`)
  const shown = name === 'plans' ? 'see values.yaml' : `\`${JSON.stringify(value ?? null)}\``
  return [`| \`${name}\` | ${shown} | ${schema.description} |`]
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && key in value
    ? (value as Record<string, unknown>)[key]
    : undefined
}
