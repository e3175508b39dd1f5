import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { compile } from 'json-schema-to-typescript'
import { format, resolveConfig } from 'prettier'
import { parse } from 'yaml'
import { cliPage } from './cli-page.ts'
import { errorGuide } from './error-guide.ts'
import { metricsPage } from './metrics-page.ts'
import { valuesTable } from './values-table.ts'
import { buildDashboard } from '../dashboard/build-dashboard.ts'
import { rows } from '../dashboard/rows.ts'
import { planSchema } from '../../common/domain/plans.ts'
import { openapiRoutes } from './openapi-routes.ts'
import { openapiTypes } from './openapi-types.ts'
import type { GeneratedFile } from './openapi-types.ts'

/** Contents of all generated files, by path. */
export async function generatedFiles(root: string): Promise<GeneratedFile[]> {
  return Promise.all([
    resourceTypes(root, 'FfmpegCommand'),
    resourceTypes(root, 'StoredFile'),
    typesFrom(root, {
      source: 'common/gateway/messages.schema.json',
      path: 'common/gateway/messages.ts',
      name: 'GatewayMessages',
      schema: (document) => document,
    }),
    typesFrom(root, {
      source: 'common/domain/plans.schema.json',
      path: 'common/domain/plan.ts',
      name: 'Plan',
      schema: withDefaultsRequired,
    }),
    openapiTypes(root),
    openapiRoutes(root),
    chartSchema(root),
    chartReadme(root),
    errorsDocument(root),
    documentWith(root, 'docs/cli.md', 'commands', cliPage()),
    metricsPage(root),
    dashboard(root),
  ])
}

/** Helm reads no file outside its chart, so the chart holds the definitions themselves. */
function resourceTypes(root: string, kind: string): Promise<GeneratedFile> {
  const file = kind.toLowerCase()
  return typesFrom(root, {
    source: `charts/cloud-ffmpeg/files/crds/${file}.yaml`,
    path: `crds/${file}.ts`,
    name: `${kind}Body`,
    schema: (document) =>
      named(dig(document, 'spec', 'versions', '0', 'schema', 'openAPIV3Schema'), {
        spec: `${kind}Spec`,
        status: `${kind}Status`,
      }),
  })
}

/** Helm reads no file outside its chart. */
async function dashboard(root: string): Promise<GeneratedFile> {
  const path = 'charts/cloud-ffmpeg/files/dashboard.json'
  const config = await resolveConfig(resolve(root, path))
  const text = JSON.stringify(buildDashboard(rows))
  return { path, content: await format(text, { ...config, parser: 'json' }) }
}

const valuesSchema = 'charts/cloud-ffmpeg/values.schema.json'

/** The schema of the values with that of a plan in it. */
async function chartSchema(root: string): Promise<GeneratedFile> {
  const config = await resolveConfig(resolve(root, valuesSchema))
  const text = JSON.stringify(await schemaOfValues(root))
  return { path: valuesSchema, content: await format(text, { ...config, parser: 'json' }) }
}

async function schemaOfValues(root: string): Promise<ValuesSchema> {
  const values = JSON.parse(await readFile(resolve(root, valuesSchema), 'utf8')) as ValuesSchema
  const { title: _, ...plan } = planSchema
  const { plans } = values.properties
  return {
    ...values,
    properties: { ...values.properties, plans: { ...plans, additionalProperties: plan } },
  }
}

interface ValuesSchema {
  readonly properties: Readonly<Record<string, object>>
}

async function chartReadme(root: string): Promise<GeneratedFile> {
  const values = await readFile(resolve(root, 'charts/cloud-ffmpeg/values.yaml'), 'utf8')
  const table = valuesTable(await schemaOfValues(root), values)
  return documentWith(root, 'charts/cloud-ffmpeg/README.md', 'values', table)
}

function errorsDocument(root: string): Promise<GeneratedFile> {
  return documentWith(root, 'docs/errors.md', 'errors', errorGuide())
}

/** A document whose part between two comments is replaced. */
async function documentWith(
  root: string,
  path: string,
  part: string,
  text: string,
): Promise<GeneratedFile> {
  const marks = new RegExp(`(<!-- ${part}: .* -->\\n)[^]*(<!-- end of ${part} -->)`)
  const content = (await readFile(resolve(root, path), 'utf8')).replace(
    marks,
    (_, begin: string, end: string) => `${begin}\n${text}\n\n${end}`,
  )
  const config = await resolveConfig(resolve(root, path))
  return { path, content: await format(content, { ...config, parser: 'markdown' }) }
}

interface Source {
  readonly source: string
  readonly path: string
  readonly name: string
  readonly schema: (document: unknown) => unknown
}

async function typesFrom(
  root: string,
  { source, path, name, schema }: Source,
): Promise<GeneratedFile> {
  const text = await readFile(resolve(root, source), 'utf8')
  const types = await compile(closed(schema(parse(text))) as object, name, {
    bannerComment: `// Generated from ${source} by 'npm run generate'.`,
    ignoreMinAndMaxItems: true,
    format: false,
  })
  const config = await resolveConfig(resolve(root, path))
  return { path, content: await format(types, { ...config, parser: 'typescript' }) }
}

/**
 * A custom resource's schema prunes unknown fields implicitly; for types this must be an explicit
 * `additionalProperties: false`. Its draft-4 `exclusiveMinimum: true` has no meaning for types.
 */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema)
    .filter(([key, value]) => !(key === 'exclusiveMinimum' && value === true) && key !== 'default')
    .map(([key, value]) => [key, closed(value)] as const)
  const result = Object.fromEntries(entries)
  return 'properties' in result && !('additionalProperties' in result)
    ? { ...result, additionalProperties: false }
    : result
}

/** The programs fill defaults in, so what has one is always there. */
function withDefaultsRequired(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null || !('properties' in schema)) return schema
  const properties = Object.entries(schema.properties as object).map(
    ([name, property]): [string, unknown] => [name, withDefaultsRequired(property)],
  )
  return {
    ...schema,
    properties: Object.fromEntries(properties),
    required: properties.map(([name]) => name),
  }
}

/** Gives properties of a schema titles, which become the names of their types. */
function named(schema: unknown, titles: Record<string, string>): unknown {
  const properties = Object.fromEntries(
    Object.entries(dig(schema, 'properties') as object).map(([key, value]) => [
      key,
      key in titles ? { ...value, title: titles[key] } : value,
    ]),
  )
  return { ...(schema as object), properties }
}

function dig(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (at, key) =>
      typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined,
    value,
  )
}
