import type { Action } from './actions.ts'
import { reconcile } from './reconcile.ts'
import { situation } from './snapshot.fixture.ts'
import type { Situation } from './snapshot.ts'

/** The kinds of what reconcile plans, in order. */
export function kinds(changes: Partial<Situation>): string[] {
  return reconcile(situation(changes)).actions.map(({ kind }) => kind)
}

/** The one action of a kind that reconcile plans. */
export function actionOf<K extends Action['kind']>(
  changes: Partial<Situation>,
  kind: K,
): Extract<Action, { kind: K }> {
  const found = reconcile(situation(changes)).actions.find(
    (action): action is Extract<Action, { kind: K }> => action.kind === kind,
  )
  if (found === undefined) throw new Error(`no ${kind} among ${kinds(changes).join(', ')}`)
  return found
}
