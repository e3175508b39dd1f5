import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'

/** A JSON schema as far as it has further schemas in it. */
interface Schema {
  readonly description?: string
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Schema>>
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

const file = path.resolve(import.meta.dirname, '../../charts/cloud-ffmpeg/values.schema.json')

describe('the schema of the values', () => {
  it('describes the values and each property of them, at every depth', async () => {
    const schema = JSON.parse(await readFile(file, 'utf8')) as Schema
    expect(schema.description).to.match(/^\S.*\.$/)
    expect(withoutDescription(schema, schema.$defs ?? {})).to.deep.equal([])
  })
})

function withoutDescription(schema: Schema, definitions: NonNullable<Schema['$defs']>): string[] {
  return undescribed(schema, '')

  function undescribed(found: Schema, at: string): string[] {
    const { properties = {}, items, additionalProperties, ...rest } = resolved(found)
    const named = Object.entries(properties).flatMap(([name, under]) => [
      ...((resolved(under).description ?? '').trim() === '' ? [`${at}${name}`] : []),
      ...undescribed(under, `${at}${name}.`),
    ])
    const values = typeof additionalProperties === 'object' ? [additionalProperties] : []
    const members = [...(items === undefined ? [] : [items]), ...values]
    const variants = [...(rest.anyOf ?? []), ...(rest.oneOf ?? []), ...(rest.allOf ?? [])]
    return [
      ...named,
      ...members.flatMap((under) => undescribed(under, `${at}[].`)),
      ...variants.flatMap((under) => undescribed(under, at)),
    ]
  }

  function resolved(schema: Schema): Schema {
    const target = definitions[schema.$ref?.replace('#/$defs/', '') ?? '']
    return target === undefined ? schema : { ...target, ...schema }
  }
}
