import { expect } from 'chai'
import { aCommandRecord } from '../../common/openapi/a-command-record.ts'
import { firstAction, isFixable } from './remedies.ts'
import type { CommandStatusRecord, OriginalRequest } from '../../common/openapi/openapi-types.ts'

const request = { ffmpeg_command: '-i x y' } as unknown as OriginalRequest
const record = (change: Partial<CommandStatusRecord>) =>
  aCommandRecord({ original_request: request, ...change })
const failed = (error_status: CommandStatusRecord['error_status']) =>
  record({ status: 'FAILED', error_status })

describe('the first action on a command', () => {
  it('firstAction returns null when the command waits or runs, or its request was deleted', () => {
    expect(firstAction(record({ status: 'QUEUED' }))).to.equal(null)
    expect(firstAction(record({ status: 'PROCESSING' }))).to.equal(null)
    expect(firstAction(record({ status: 'SUCCESS', original_request: null }))).to.equal(null)
  })

  it('firstAction returns a fix when running the same command again changes nothing', () => {
    expect(firstAction(failed('INVALID_COMMAND'))).to.equal('fix')
    expect(firstAction(failed('UNREACHABLE_INPUT_FILE'))).to.equal('again')
    expect(firstAction(failed('CANCELLED'))).to.equal('again')
    expect(firstAction(record({ status: 'SUCCESS' }))).to.equal('again')
  })

  it('isFixable holds when a command has failed by itself and its request is there', () => {
    expect(isFixable(failed('INVALID_COMMAND'))).to.equal(true)
    expect(isFixable(failed('CANCELLED'))).to.equal(false)
    expect(isFixable(record({ status: 'SUCCESS' }))).to.equal(false)
    expect(isFixable({ ...failed('INVALID_COMMAND'), original_request: null })).to.equal(false)
  })
})
