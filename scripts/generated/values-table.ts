import { parseDocument } from 'yaml'

interface Schema {
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Schema>>
  /** Schema of each value of a map. */
  readonly additionalProperties?: Schema | boolean
  readonly default?: unknown
}

/**
 * Rows `| value | default | meaning |` of a chart: names and meanings from values.schema.json,
 * defaults from values.yaml.
 * @throws Error if a value has no description
 */
export function valuesTable(schema: Schema, valuesYaml: string): string {
  const values: unknown = parseDocument(valuesYaml).toJS()
  const rows = leaves(withoutReferences(schema, schema.$defs ?? {}), values, [])
  // Prettier would pad each row to the longest description.
  const head = ['<!-- prettier-ignore -->', '| value | default | meaning |', '|---|---|---|']
  return [...head, ...rows].join('\n')
}

/** The schema with each `$ref` to one of `$defs` replaced by what it names. */
function withoutReferences(schema: Schema, definitions: Readonly<Record<string, Schema>>): Schema {
  const { $ref, properties } = schema
  if ($ref !== undefined) {
    const found = definitions[$ref.replace('#/$defs/', '')]
    if (found === undefined) throw new Error(`the schema of the values has no ${$ref}`)
    return withoutReferences(found, definitions)
  }
  if (properties === undefined) return schema
  const resolved = Object.entries(properties).map(
    ([name, under]) => [name, withoutReferences(under, definitions)] as const,
  )
  return { ...schema, properties: Object.fromEntries(resolved) }
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
  if (name === 'plans') {
    return [`| \`plans\` | see values.yaml | ${schema.description} |`, ...planRows(schema)]
  }
  return [row(name, json(value), schema)]
}

/** The limits that each plan has, with the defaults of the programs. */
function planRows({ additionalProperties: plan }: Schema): string[] {
  if (typeof plan !== 'object') return []
  return Object.entries(plan.properties ?? {}).flatMap(([name, limit]) => {
    const under = Object.entries(limit.properties ?? {})
    return under.length === 0
      ? [row(`plans.PLAN.${name}`, defaultOf(limit), limit)]
      : under.map(([key, days]) => row(`plans.PLAN.${name}.${key}`, defaultOf(days), days))
  })
}

function defaultOf(limit: Schema): string {
  return 'default' in limit ? json(limit.default) : 'required'
}

function row(name: string, shown: string, { description }: Schema): string {
  return `| \`${name}\` | ${shown} | ${description} |`
}

function json(value: unknown): string {
  return `\`${JSON.stringify(value ?? null)}\``
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && key in value
    ? (value as Record<string, unknown>)[key]
    : undefined
}
