import path from 'node:path'
import { parseAllDocuments } from 'yaml'
import { apiServerSettings } from '../../api-server/settings.ts'
import type { ApiServerSettings } from '../../api-server/settings.ts'
import { operatorSettings } from '../../operator/settings.ts'
import type { OperatorSettings } from '../../operator/settings.ts'
import { CommandFailed, runCommand } from '../../local-cluster/host/run-command.ts'
import { clusterSettings } from '../../local-cluster/host/settings.ts'
import { helmCommand } from '../../local-cluster/tools/helm.ts'

export const chart = path.resolve(import.meta.dirname, '../../charts/cloud-ffmpeg')

export interface Rendered {
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly annotations?: Record<string, string>
  }
  readonly spec: { readonly template?: PodTemplate } & PodSpec
  readonly data?: Record<string, string>
  readonly rules?: readonly { readonly resources?: string[]; readonly verbs: string[] }[]
  readonly subjects?: readonly { readonly name: string }[]
}

export interface PodTemplate {
  readonly metadata: { readonly annotations?: Record<string, string> }
  readonly spec: PodSpec
}

export interface PodSpec {
  readonly securityContext: Record<string, unknown>
  readonly containers: {
    readonly name: string
    readonly image: string
    readonly args?: string[]
    readonly env: { readonly name: string; readonly value?: string }[]
    readonly securityContext: Record<string, unknown>
    readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[]
  }[]
  readonly volumes?: readonly { readonly name: string }[]
}

/** helm on our chart; the first call of a suite may build helm, which takes minutes. */
export function useChart(): {
  readonly lint: (values: string) => Promise<unknown>
  readonly render: (values: string, ...more: readonly string[]) => Promise<Rendered[]>
  /** Notes that helm prints after an installation. */
  readonly notes: (values: string, ...more: readonly string[]) => Promise<string>
  /** Error of helm about the minimal values with others beside them. */
  readonly refusal: (...more: readonly string[]) => Promise<string>
  /** helm itself. */
  readonly run: (...args: readonly string[]) => Promise<string>
} {
  let helm: string
  before(async () => {
    helm = await helmCommand({ settings: clusterSettings(process.env), say: () => undefined })
  })
  const render = async (values: string, ...more: readonly string[]) =>
    objectsIn(
      await runCommand(helm, [
        'template',
        'media',
        chart,
        '--namespace',
        'media',
        '--values',
        fileOf(values),
        ...more,
      ]),
    )
  return {
    lint: (values) => runCommand(helm, ['lint', '--strict', chart, '--values', fileOf(values)]),
    run: (...args) => runCommand(helm, args),
    notes: async (values, ...more) => {
      const dryRun = more.includes('--dry-run=server') ? [] : ['--dry-run=client']
      const text = await runCommand(helm, [
        'install',
        'media',
        chart,
        '--namespace',
        'media',
        ...dryRun,
        '--values',
        fileOf(values),
        ...more,
      ])
      return text.slice(text.lastIndexOf('\nNOTES:\n'))
    },
    render,
    refusal: (...more) =>
      render('minimal', ...more).then(
        () => 'accepted',
        // The message begins with the command line, which has the values in it.
        (error: unknown) => (error instanceof CommandFailed ? error.stderr : String(error)),
      ),
  }
}

/** The example values of that name. */
export function fileOf(values: string): string {
  return path.join(chart, 'ci', `${values}-values.yaml`)
}

/** The objects in what helm has rendered, as Kubernetes reads it: in YAML 1.1 `on` is true. */
export function objectsIn(text: string): Rendered[] {
  return parseAllDocuments(text, { version: '1.1' })
    .map((document) => document.toJS() as Rendered | null)
    .filter((object) => object !== null)
}

/** The pods of a server. */
export function deployment(objects: readonly Rendered[], component: string): PodSpec {
  return template(objects, component).spec
}

export function template(objects: readonly Rendered[], component: string): PodTemplate {
  // The name begins with the release, or with fullnameOverride.
  const found = objects.find(
    ({ kind, metadata }) => kind === 'Deployment' && metadata.name.endsWith(`-${component}`),
  )
  if (found?.spec.template === undefined) throw new Error(`no Deployment of ${component}`)
  return found.spec.template
}

/** The settings of the operator as it reads them in its pod. */
export function operatorSettingsIn(objects: readonly Rendered[]): OperatorSettings {
  const env = deployment(objects, 'operator').containers[0]?.env ?? []
  const environment = Object.fromEntries(env.map(({ name, value = 'x' }) => [name, value]))
  return operatorSettings(configOf(objects, 'operator'), environment)
}

/** The settings of the API server; its files with secrets are not here. */
export function apiServerSettingsIn(objects: readonly Rendered[]): ApiServerSettings {
  const url = 'postgres://user:password@db:5432/name'
  const environment = { CLOUD_FFMPEG_DATABASE_URL: url, CLOUD_FFMPEG_DATABASE_DIRECT_URL: url }
  return apiServerSettings(configOf(objects, 'api-server'), environment)
}

function configOf(objects: readonly Rendered[], component: string): unknown {
  const found = objects.find(
    ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.endsWith(`-${component}`),
  )
  return JSON.parse(found?.data?.['config.json'] ?? '')
}
