import { listIn, objectOf, optionalTextIn, textIn } from '../read-json.ts'
import type { Condition } from './objects.ts'
import type { JsonObject } from '../../json/json-object.ts'

/** Reads `conditions` of a status; an unknown status text counts as Unknown. */
export function parseConditions(status: JsonObject): Condition[] {
  return listIn(status, 'conditions').map((raw) => {
    const condition = objectOf(raw, 'conditions entry')
    const text = condition['status']
    return {
      type: textIn(condition, 'type'),
      status: text === 'True' || text === 'False' ? text : 'Unknown',
      reason: optionalTextIn(condition, 'reason'),
      message: optionalTextIn(condition, 'message'),
      lastTransitionTime: optionalTextIn(condition, 'lastTransitionTime'),
    }
  })
}
