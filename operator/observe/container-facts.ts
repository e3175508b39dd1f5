import type { ContainerState } from '../../common/kubernetes/resources/objects.ts'

/** State of one container of a runner's pod, as far as a decision depends on it. */
export type ContainerFacts =
  | { readonly state: 'waiting'; readonly reason: string; readonly message: string }
  | { readonly state: 'running' }
  | {
      readonly state: 'terminated'
      readonly exitCode: number
      /** `OOMKilled`, `Error`, `Completed`, ... */
      readonly reason: string
      /** The termination message. */
      readonly message: string
    }

/** Longest message of a waiting container that is kept; an image registry's answer can be a page. */
const longestMessage = 500

export function containerFacts(state: ContainerState): ContainerFacts {
  switch (state.kind) {
    case 'waiting':
      return {
        state: 'waiting',
        reason: state.reason ?? '',
        message: (state.message ?? '').slice(0, longestMessage),
      }
    case 'running':
      return { state: 'running' }
    case 'terminated':
      return {
        state: 'terminated',
        exitCode: state.exitCode,
        reason: state.reason ?? '',
        message: state.message ?? '',
      }
  }
}

export function exitCode(container: ContainerFacts | null): number | null {
  return container?.state === 'terminated' ? container.exitCode : null
}
