import type { Action, ActionOf } from './actions.ts'
import { reconcile } from './reconcile.ts'
import { snapshot } from '../../testing/support/operator/snapshot.ts'
import type { SnapshotFacts } from './snapshot.ts'

/** The kinds of what reconcile plans, in order. */
export function kinds(changes: Partial<SnapshotFacts>): string[] {
  return reconcile(snapshot(changes)).actions.map(({ kind }) => kind)
}

/** The one action of a kind that reconcile plans. */
export function actionOf<K extends Action['kind']>(
  changes: Partial<SnapshotFacts>,
  kind: K,
): ActionOf<K> {
  const found = reconcile(snapshot(changes)).actions.find(
    (action): action is ActionOf<K> => action.kind === kind,
  )
  if (found === undefined) throw new Error(`no ${kind} among ${kinds(changes).join(', ')}`)
  return found
}
