import { stringify } from 'yaml'
import { isSection } from '../../common/settings/settings-schema.ts'
import type { SettingsSchema } from '../../common/settings/settings-schema.ts'

type Properties = NonNullable<SettingsSchema['properties']>

const width = 120

/** values.yaml: each value with its default, and its description as a comment. */
export function valuesYaml(schema: SettingsSchema): string {
  const definitions = (schema['$defs'] ?? {}) as Properties
  /** Definitions that have their comments: the API server and the operator have the same fields of pods. */
  const described = new Set<string>()
  const top = Object.entries(schema.properties ?? {})
    .map(([name, under]) => lines(name, under, '', true))
    .filter((each) => each.length > 0)
  return `${top.map((each) => each.join('\n')).join('\n\n')}\n`

  function lines(
    name: string,
    given: SettingsSchema,
    indent: string,
    withComment: boolean,
  ): string[] {
    const { schema: found, isKnown } = resolved(given)
    const comments = withComment && !isKnown
    const text = comments && typeof found['description'] === 'string' ? found['description'] : ''
    const comment = wrapped(text, `${indent}# `)
    if (isSection(found)) {
      const under = Object.entries(found.properties ?? {}).flatMap(([key, each]) =>
        lines(key, each, `${indent}  `, comments),
      )
      return under.length === 0 ? [] : [...comment, `${indent}${name}:`, ...under]
    }
    // Helm sets the others.
    return 'default' in found ? [...comment, ...valueLines(name, found.default, indent)] : []
  }

  function resolved(given: SettingsSchema): { schema: SettingsSchema; isKnown: boolean } {
    const { $ref, ...own } = given
    if (typeof $ref !== 'string') return { schema: given, isKnown: false }
    const isKnown = described.has($ref)
    described.add($ref)
    return { schema: { ...definitions[$ref.replace('#/$defs/', '')], ...own }, isKnown }
  }
}

function valueLines(name: string, value: unknown, indent: string): string[] {
  const inline = `${indent}${name}: ${flow(value)}`
  const nested = typeof value === 'object' && value !== null && !Array.isArray(value)
  const hasObjects =
    nested && Object.values(value).some((each) => typeof each === 'object' && each !== null)
  if (!nested || (inline.length <= 80 && !hasObjects)) return [inline]
  const under = Object.entries(value).flatMap(([key, each]) => valueLines(key, each, `${indent}  `))
  return [`${indent}${name}:`, ...under]
}

function flow(value: unknown): string {
  return stringify(value, { collectionStyle: 'flow', singleQuote: true, lineWidth: 0 }).trim()
}

function wrapped(text: string, prefix: string): string[] {
  const lines: string[] = []
  for (const word of text.split(' ').filter((each) => each !== '')) {
    const last = lines.at(-1)
    if (last === undefined || `${last} ${word}`.length > width) lines.push(`${prefix}${word}`)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}
