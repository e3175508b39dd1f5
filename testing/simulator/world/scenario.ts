import { isErrorStatus } from '../../../common/domain/failures.ts'
import type { ErrorStatus } from '../../../common/domain/failures.ts'

/** What FFmpeg and the machine below a command will do. It travels in the address of its input. */
export type Scenario = { readonly workMs: number } & (
  | { readonly kind: 'success' | 'large' | 'mute' | 'crash' | 'hang' | 'out-of-memory' }
  | { readonly kind: 'failure'; readonly errorStatus: ErrorStatus }
)

const kinds = ['success', 'large', 'mute', 'crash', 'hang', 'out-of-memory'] as const

export function inputUrl(scenario: Scenario): string {
  const kind = scenario.kind === 'failure' ? scenario.errorStatus : scenario.kind
  return `https://origin.example/${kind}/${Math.round(scenario.workMs)}/in.mp4`
}

export function scenarioOf(url: string): Scenario {
  const [, name = '', workMs = ''] = new URL(url).pathname.split('/')
  if (isErrorStatus(name)) return { kind: 'failure', errorStatus: name, workMs: Number(workMs) }
  const kind = kinds.find((known) => known === name)
  if (kind === undefined) throw new Error(`no scenario ${name}`)
  return { kind, workMs: Number(workMs) }
}
