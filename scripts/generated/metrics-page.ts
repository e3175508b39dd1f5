import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { format, resolveConfig } from 'prettier'
import type { Registry } from 'prom-client'
import { metricsPrefix } from '../../common/runtime/metrics.ts'
import { registeredMetrics } from './registered-metrics.ts'
import type { GeneratedFile } from './openapi-types.ts'

/** A metric as its registration describes it. */
export interface MetricFacts {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly labels: readonly string[]
}

/** The tables of `docs/metrics.md`; the text around them is written by hand. */
export async function metricsPage(root: string): Promise<GeneratedFile> {
  const path = 'docs/metrics.md'
  const registries = registeredMetrics()
  let content = await readFile(resolve(root, path), 'utf8')
  for (const [server, registry] of Object.entries(registries)) {
    const rows = factsOf(registry).filter(({ name }) => name.startsWith(metricsPrefix))
    content = replaced(content, server, tableOf(rows))
  }
  const node = factsOf(registries.operator).filter(({ name }) => !name.startsWith(metricsPrefix))
  content = replaced(content, 'node', tableOf(node))
  const config = await resolveConfig(resolve(root, path))
  return { path, content: await format(content, { ...config, parser: 'markdown' }) }
}

/** Facts sorted by name. */
export function factsOf(registry: Registry): MetricFacts[] {
  return registry
    .getMetricsAsArray()
    .map((metric) => {
      const own = metric as unknown as { type: string; labelNames: readonly string[]; help: string }
      const labels = own.labelNames.filter((label) => label !== 'le')
      return { name: metric.name, help: own.help, type: own.type, labels }
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function replaced(content: string, part: string, table: string): string {
  const found = new RegExp(`(<!-- metrics of ${part}: .* -->\n)[^]*?(<!-- end of ${part} -->)`)
  if (!found.test(content)) throw new Error(`docs/metrics.md has no part ${part}`)
  return content.replace(found, (_, begin: string, end: string) => `${begin}\n${table}\n\n${end}`)
}

function tableOf(rows: readonly MetricFacts[]): string {
  const lines = rows.map(
    ({ name, type, labels, help }) =>
      `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help.replaceAll('|', '\\|')} |`,
  )
  return ['| metric | type | labels | meaning |', '|---|---|---|---|', ...lines].join('\n')
}
