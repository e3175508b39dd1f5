import type { Assignment, InputSource } from '../../../common/gateway/messages.ts'
import { fieldsOf } from '../../link/fields.ts'
import type { Fields } from '../../link/fields.ts'
import { listOf, rawField, textMap } from './raw-field.ts'

/** @throws naming the field, if the body is not an assignment */
export function parseAssignment(body: unknown): Assignment {
  const fields = fieldsOf(body, 'assignment')
  const limits = fields.object('limits')
  const network = fields.object('network')
  const outputs = rawField(body, 'outputs')
  const folder = rawField(body, 'inputFolder')
  return {
    commandId: fields.text('commandId'),
    commands: fields.texts('commands'),
    inputs: listOf(rawField(body, 'inputs'), 'assignment.inputs').map(inputSource),
    inputFolder: folder === null ? null : inputSource(fields.object('inputFolder')),
    outputs: outputs === null ? null : textMap(outputs, 'assignment.outputs'),
    vcpuCount: fields.number('vcpuCount'),
    maxRunSeconds: fields.number('maxRunSeconds'),
    limits: {
      fileBytes: limits.numberOrNull('fileBytes'),
      scratchBytes: limits.number('scratchBytes'),
      fileCount: limits.number('fileCount'),
      maxPixels: limits.number('maxPixels'),
      transferSeconds: limits.number('transferSeconds'),
    },
    overlap: overlapOf(rawField(body, 'overlap')),
    ...originOf(rawField(body, 'storageOrigin')),
    file: storedFile(rawField(body, 'file')),
    network: {
      allowCidrs: network.texts('allowCidrs'),
      denyCidrs: network.texts('denyCidrs'),
      denyEndpoints: network.texts('denyEndpoints'),
    },
  }
}

/** An operator of an earlier version does not say it. */
function originOf(value: unknown): Pick<Assignment, 'storageOrigin'> {
  return typeof value === 'string' && URL.canParse(value) ? { storageOrigin: value } : {}
}

function overlapOf(value: unknown): Assignment['overlap'] {
  // An operator of an earlier version never requests it.
  if (value === undefined) return { inputs: false, outputs: false }
  const fields = fieldsOf(value, 'assignment.overlap')
  return { inputs: fields.flag('inputs'), outputs: fields.flag('outputs') }
}

function storedFile(value: unknown): Assignment['file'] {
  // An operator of an earlier version supports commands only.
  if (value === null || value === undefined) return null
  const fields = fieldsOf(value, 'assignment.file')
  const kind = fields.oneOf('kind', ['store', 'analyse'])
  if (kind === 'store') return { kind, source: inputSource(fields.object('source')) }
  return {
    kind,
    name: fields.text('name'),
    url: fields.text('url'),
    sizeBytes: fields.number('sizeBytes'),
    fullFetchBytes: fields.number('fullFetchBytes'),
  }
}

function inputSource(fields: Fields): InputSource {
  return {
    alias: fields.text('alias'),
    url: fields.text('url'),
    stored: fields.textOrNull('stored'),
    missing: fields.isSet('missing'),
  }
}
