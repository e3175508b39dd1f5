import { mkdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { build } from 'esbuild'
import type { Browser } from '../../../testing/browser/launch-browser.ts'
import { selector } from '../model.ts'
import type { Panel, Row } from '../model.ts'
import { queryRange } from './query-range.ts'
import type { Range, Series } from './query-range.ts'

export interface Drawing {
  readonly prometheus: string
  readonly namespace: string
  readonly release: string
  readonly range: Range
  /** `ROW.png` is written here, one for each row. */
  readonly folder: string
}

/**
 * Draws each row of the dashboard with uPlot, the library of Grafana's time series, from the answers of a Prometheus.
 * @returns the files
 */
export async function drawDashboard(
  { page }: Browser,
  rows: readonly Row[],
  drawing: Drawing,
): Promise<string[]> {
  await mkdir(drawing.folder, { recursive: true })
  await page.setViewportSize({ width: 1_440, height: 500 })
  await page.setContent(await emptyPage())
  const files: string[] = []
  for (const { title, panels } of rows) {
    const data = await Promise.all(panels.map((panel) => dataOf(panel, drawing)))
    const row = JSON.stringify({ title, panels: data, times: drawing.range.times })
    await page.evaluate(`drawRow(${row})`)
    const file = path.join(drawing.folder, `${title.toLowerCase().replaceAll(/\W+/g, '-')}.png`)
    await page.locator('main').screenshot({ path: file })
    files.push(file)
  }
  return files
}

async function dataOf(panel: Panel, drawing: Drawing) {
  const { title, kind, unit, width = 8 } = panel
  const { prometheus, namespace, release, range } = drawing
  const of = (expr: string): string =>
    expr
      .replaceAll('{S', `{${selector}`)
      .replaceAll('$namespace', namespace)
      .replaceAll('$release', release)
  const found = await Promise.all(
    panel.queries.map(({ expr, legend }) => queryRange(prometheus, of(expr), legend, range)),
  )
  const series: Series[] = found
    .flat()
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
  return { title, kind, unit, width, series }
}

async function emptyPage(): Promise<string> {
  const style = createRequire(import.meta.url).resolve('uplot/dist/uPlot.min.css')
  const here = path.join(import.meta.dirname, 'page')
  const [library, own, bundled] = await Promise.all([
    readFile(style, 'utf8'),
    readFile(path.join(here, 'page.css'), 'utf8'),
    build({ entryPoints: [path.join(here, 'page.ts')], bundle: true, write: false }),
  ])
  const [script] = bundled.outputFiles
  return `<!doctype html><meta charset="utf-8"><style>${library}${own}</style><main></main>
    <script>${script?.text ?? ''}</script>`
}
