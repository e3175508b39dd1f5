import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { compile } from 'json-schema-to-typescript'
import { format, resolveConfig } from 'prettier'
import { parse } from 'yaml'
import { cliPage } from './cli-page.ts'
import { errorGuide } from './error-guide.ts'
import { planLimits, requestLimits } from './limits-page.ts'
import { metricsPage } from './metrics-page.ts'
import { valuesTable } from './values-table.ts'
import { buildDashboard } from '../dashboard/build-dashboard.ts'
import { rows } from '../dashboard/rows.ts'
import { chartValues, settingNames, valuesSchema } from './chart-values.ts'
import { valuesYaml } from './values-yaml.ts'
import { openapiRoutes } from './openapi-routes.ts'
import { openapiTypes } from './openapi-types.ts'
import type { GeneratedFile } from './openapi-types.ts'

/** Contents of all generated files, by path. */
export async function generatedFiles(root: string): Promise<GeneratedFile[]> {
  const files = await Promise.all([
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
    errorsDocument(root),
    documentWith(root, 'docs/cli.md', { commands: cliPage() }),
    documentWith(root, 'docs/limits.md', { requests: requestLimits(), plans: planLimits() }),
    metricsPage(root),
    dashboard(root),
    settingTypes(root, 'common/settings', 'shared-config', sharedImports),
    settingTypes(root, 'operator', 'operator-config', operatorImports),
    settingTypes(root, 'api-server', 'api-server-config'),
  ])
  return [...files, ...(await chartFiles(root))]
}

const sharedImports = "import type { Plans } from '../domain/plans.ts'"
const operatorImports = `import type { Priority } from '../common/domain/priority.ts'
import type { RunnerPod, RunnerProfile, ScratchClaim, Toleration } from './resources/runner-settings.ts'`

/** The settings of a program or of both, without the descriptions that their schema has. */
function settingTypes(
  root: string,
  folder: string,
  name: string,
  imports = '',
): Promise<GeneratedFile> {
  return typesFrom(root, {
    source: `${folder}/settings.schema.json`,
    path: `${folder}/${name}.ts`,
    name,
    imports,
    schema: (document) => withDefaultsRequired(withoutDescriptions(document)),
  })
}

function withoutDescriptions(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return schema
  const { description: _, ...rest } = schema as Record<string, unknown>
  return typeof rest['tsType'] === 'string'
    ? { tsType: rest['tsType'] }
    : Object.fromEntries(
        Object.entries(rest).map(([key, under]) => [key, withoutDescriptions(under)]),
      )
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

/** values.yaml, values.schema.json, the table of the README and the names for config.json. */
async function chartFiles(root: string): Promise<GeneratedFile[]> {
  const folder = 'charts/cloud-ffmpeg'
  const values = await chartValues(root)
  const config = await resolveConfig(resolve(root, `${folder}/values.yaml`))
  const text = await format(valuesYaml(values), { ...config, parser: 'yaml' })
  return [
    { path: `${folder}/values.yaml`, content: `${generatedMark}\n\n${text}` },
    { path: `${folder}/values.schema.json`, content: valuesSchema(values) },
    { path: `${folder}/files/settings.json`, content: settingNames() },
    await documentWith(root, `${folder}/README.md`, { values: valuesTable(values, text) }),
  ]
}

const generatedMark =
  "# Generated from settings.schema.json of each program and charts/deployment.schema.json by 'npm run generate'."

function errorsDocument(root: string): Promise<GeneratedFile> {
  return documentWith(root, 'docs/errors.md', { errors: errorGuide() })
}

/** A document whose parts between two comments are replaced. */
async function documentWith(
  root: string,
  path: string,
  parts: Readonly<Record<string, string>>,
): Promise<GeneratedFile> {
  let content = await readFile(resolve(root, path), 'utf8')
  for (const [part, text] of Object.entries(parts)) {
    const marks = new RegExp(`(<!-- ${part}: .* -->\\n)[^]*(<!-- end of ${part} -->)`)
    content = content.replace(
      marks,
      (_, begin: string, end: string) => `${begin}\n${text}\n\n${end}`,
    )
  }
  const config = await resolveConfig(resolve(root, path))
  return { path, content: await format(content, { ...config, parser: 'markdown' }) }
}

interface Source {
  readonly source: string
  readonly path: string
  readonly name: string
  readonly schema: (document: unknown) => unknown
  readonly imports?: string
}

async function typesFrom(
  root: string,
  { source, path, name, schema, imports = '' }: Source,
): Promise<GeneratedFile> {
  const text = await readFile(resolve(root, source), 'utf8')
  const types = await compile(closed(schema(parse(text))) as object, name, {
    bannerComment: `// Generated from ${source} by 'npm run generate'.\n${imports}`,
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
