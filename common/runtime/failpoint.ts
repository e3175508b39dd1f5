import { failpointNames } from './effects.ts'
import type { Failpoint, FailpointName } from './effects.ts'

/** Production: the effect, nothing else. */
export const directly: Failpoint = (_name, effect) => effect()

export type FaultAction = 'crash-before' | 'crash-after' | 'fail' | 'twice'

/**
 * A failpoint armed from text, for tests against real processes:
 * `dispatch.cr_created=crash-before,gateway.outcome_committed=crash-after`. Each entry acts once.
 * @param crash ends the process at once, without any cleaning up
 * @throws if the text names an unknown point or action: a fault test that injects nothing would
 *   pass for the wrong reason
 */
export function armedFailpoint(text: string, crash: () => never): Failpoint {
  const armed = parse(text)
  return async (name, effect) => {
    const action = armed.get(name)
    armed.delete(name)
    switch (action) {
      case undefined:
        return effect()
      case 'crash-before':
        return crash()
      case 'crash-after':
        await effect()
        return crash()
      case 'fail':
        throw new Error(`failpoint ${name}`)
      case 'twice':
        await effect()
        return effect()
    }
  }
}

const actions: readonly string[] = ['crash-before', 'crash-after', 'fail', 'twice']

function parse(text: string): Map<FailpointName, FaultAction> {
  const armed = new Map<FailpointName, FaultAction>()
  for (const entry of text.split(',').filter((part) => part.trim() !== '')) {
    const [name = '', action = ''] = entry.trim().split('=')
    if (!isName(name)) throw new Error(`unknown failpoint '${name}'`)
    if (!isAction(action)) {
      throw new Error(`failpoint ${name}: unknown action '${action}', one of ${actions.join(', ')}`)
    }
    armed.set(name, action)
  }
  return armed
}

function isName(text: string): text is FailpointName {
  return (failpointNames as readonly string[]).includes(text)
}

function isAction(text: string): text is FaultAction {
  return actions.includes(text)
}
