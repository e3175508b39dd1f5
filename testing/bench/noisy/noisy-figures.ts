import { percentile, ratioInterval } from '../figure/statistics.ts'
import type { Figure } from '../figure/figure.ts'
import type { Phase } from './phases.ts'
import type { State } from './state.ts'
import type { Served, Tenant } from './tenant.ts'

type Part = keyof Served

/** The bar: what the tenant gets beside a noisy account takes at most 1.5 times as long. */
const mostRatio = 1.5

export function noisyFigures(
  phases: readonly Phase[],
  { tenant, start }: { readonly tenant: Tenant; readonly start: State },
): Figure[] {
  const noisy = phases.filter(({ isNoisy }) => isNoisy)
  const quiet = phases.filter(({ isNoisy }) => !isNoisy)
  const loads = [...new Set(noisy.flatMap(({ served }) => [...served.keys()]))]
  return [
    ...phases.flatMap((phase) => times(phase.name, servedIn([phase]))),
    ...loads.flatMap((load) =>
      times(
        `beside ${load}`,
        noisy.flatMap(({ served }) => served.get(load) ?? []),
      ),
    ),
    ...(['success', 'webhook'] as const).flatMap((part) =>
      ratios(part, valuesOf(servedIn(noisy), part), valuesOf(servedIn(quiet), part)),
    ),
    { name: 'tenant: answers of 429', value: tenant.refused(), unit: 'count', limit: 0 },
    { name: 'tenant: failures', value: tenant.failures(), unit: 'count', limit: 0 },
    ...noisy.flatMap(({ name, statuses }) => statusFigures(name, statuses)),
    ...stateFigures('at the start', start),
    ...noisy.flatMap(({ name, during, after }) => [
      ...stateFigures(`during ${name}`, during),
      ...stateFigures(`after ${name}`, after),
    ]),
  ]
}

function servedIn(phases: readonly Phase[]): Served[] {
  return phases.flatMap(({ served }) => [...served.values()].flat())
}

function valuesOf(served: readonly Served[], part: Part): number[] {
  return served.map((each) => each[part])
}

function times(name: string, served: readonly Served[]): Figure[] {
  return (['success', 'webhook'] as const).flatMap((part) =>
    [0.5, 0.95].map((p): Figure => {
      const value = percentile(valuesOf(served, part), p)
      return { name: `${name}: ${part} p${p * 100}`, value, unit: 'ms' }
    }),
  )
}

function ratios(part: Part, noisy: readonly number[], quiet: readonly number[]): Figure[] {
  const p95 = (values: readonly number[]): number => percentile(values, 0.95)
  const { low, high } = ratioInterval(noisy, quiet, p95, Math.random)
  const name = `${part} p95 noisy/quiet`
  return [
    { name, value: p95(noisy) / p95(quiet), unit: 'ratio' },
    { name: `${name}, lower end`, value: low, unit: 'ratio' },
    { name: `${name}, upper end`, value: high, unit: 'ratio', limit: mostRatio },
  ]
}

function statusFigures(name: string, statuses: ReadonlyMap<number, number>): Figure[] {
  const errors = [...statuses].filter(([status]) => status >= 500)
  return [
    ...[...statuses]
      .toSorted(([one], [other]) => one - other)
      .map(([status, value]): Figure => ({
        name: `${name}: answers of ${status}`,
        value,
        unit: 'count',
      })),
    {
      name: `${name}: answers of 5xx`,
      value: errors.reduce((sum, [, count]) => sum + count, 0),
      unit: 'count',
      limit: 0,
    },
  ]
}

function stateFigures(when: string, state: State): Figure[] {
  const figures: [string, number, Figure['unit']][] = [
    ['etcd', state.etcdMbytes, 'MB'],
    ['tables', state.tablesMbytes, 'MB'],
    ['RSS of API server', state.apiServerMbytes, 'MB'],
    ['RSS of operator', state.operatorMbytes, 'MB'],
    ['unfinished commands', state.unfinished, 'count'],
    ['webhooks to try', state.pendingWebhooks, 'count'],
    ['custom resources', state.resources, 'count'],
    ['largest custom resource', state.largestResourceBytes, 'bytes'],
  ]
  return figures.map(([name, value, unit]) => ({ name: `${name} ${when}`, value, unit }))
}
