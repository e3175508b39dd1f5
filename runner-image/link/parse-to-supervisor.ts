import { fieldsOf } from './fields.ts'
import type { Fields } from './fields.ts'
import type { ToSupervisor } from './messages.ts'

/** @throws if the line is not a message of `transfer`, naming the field */
export function parseToSupervisor(line: string): ToSupervisor {
  const fields = fieldsOf(JSON.parse(line), 'message')
  const type = fields.oneOf('type', ['probe', 'run', 'kill', 'bye'])
  switch (type) {
    case 'probe':
      return {
        type,
        id: fields.text('id'),
        path: fields.text('path'),
        depth: fields.oneOf('depth', ['duration', 'ends', 'record']),
      }
    case 'run':
      return {
        type,
        id: fields.text('id'),
        step: fields.number('step'),
        argv: fields.texts('argv'),
        limits: limits(fields.object('limits')),
        outputs: fields.texts('outputs'),
        log: fields.isNull('log') ? null : log(fields.object('log')),
      }
    case 'kill':
      return {
        type,
        id: fields.textOrNull('id'),
        reason: fields.oneOf('reason', ['cancelled', 'interrupted', 'input_incomplete']),
      }
    case 'bye':
      return { type }
  }
}

function log(fields: Fields) {
  return {
    path: fields.text('path'),
    level: fields.number('level'),
    isMarked: fields.flag('isMarked'),
    inputPaths: fields.textsByName('inputPaths'),
  }
}

function limits(fields: Fields) {
  return {
    seconds: fields.number('seconds'),
    fileBytes: fields.numberOrNull('fileBytes'),
    scratchBytes: fields.number('scratchBytes'),
    fileCount: fields.number('fileCount'),
  }
}
