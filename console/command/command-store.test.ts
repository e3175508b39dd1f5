import { expect } from 'chai'
import { ApiError } from '../../cli/client/errors.ts'
import { aCommandRecord } from '../../common/openapi/a-command-record.ts'
import { aFile, anEnd, anEvent } from '../shell/samples.fixture.ts'
import { openTab, scriptedService, status } from '../shell/scripted-service.fixture.ts'
import { rejectionOf } from '../../testing/support/mocha.ts'
import { createCommand, isUnknown } from './command-store.ts'
import { endOf } from './end-of.ts'
import type { CommandStatusRecord } from '../../common/openapi/openapi-types.ts'
import type { ScriptedService, TestTab } from '../shell/scripted-service.fixture.ts'

const call = 'GET /v1/commands/a'

describe('the command of a page', () => {
  let service: ScriptedService
  let tab: TestTab
  let record: CommandStatusRecord
  let command: ReturnType<typeof createCommand>
  beforeEach(async () => {
    service = scriptedService()
    tab = openTab(service)
    record = aCommandRecord()
    service.on(call, () => record)
    await service.stream.begin()
  })
  afterEach(() => {
    command.close()
    tab.close()
  })
  const open = async () => {
    command = createCommand(service.client, 'a', service.clock)
    await service.settle()
  }
  const arrive = async (event: object) => {
    await service.stream.send('command', event)
    tab.draw()
    await service.settle()
  }
  const passes = async (ms: number) => {
    await service.clock.advance(ms)
    await service.settle()
  }
  const reads = () => service.requests.length

  it('reads the record of a command with URLs of private outputs for 15 min when the page opens', async () => {
    await open()
    expect(command.record.value).to.deep.equal(record)
    expect(service.requests).to.deep.equal([`${call}?presigned_ttl_seconds=900`])
  })

  it('changes the record by events of its command without a request, and keeps fields that events do not have', async () => {
    record = aCommandRecord({ metadata: { order: 17 } })
    await open()
    await arrive(anEvent({ command_id: 'b' }))
    expect(command.record.value?.status).to.equal('QUEUED')
    await arrive(anEvent())
    expect(command.record.value).to.deep.include({
      status: 'PROCESSING',
      progress_percent: 42,
      metadata: { order: 17 },
    })
    expect(reads()).to.equal(1)
  })

  it('reads the record when the command ends, for its outputs, and takes no event after that', async () => {
    await open()
    record = aCommandRecord({ status: 'SUCCESS', output_files: { out_1: aFile() } })
    await arrive(anEnd())
    expect(command.record.value?.output_files).to.have.property('out_1')
    await arrive(anEvent())
    expect(command.record.value?.status).to.equal('SUCCESS')
    expect(reads()).to.equal(2)
  })

  it('reads the record again at 80 % of the lifetime of its URLs while a private output is stored', async () => {
    const output = aFile({ is_private: true })
    record = aCommandRecord({ status: 'SUCCESS', output_files: { out_1: aFile(), out_2: output } })
    await open()
    await passes(719_999)
    expect(reads()).to.equal(1)
    await passes(1)
    expect(reads()).to.equal(2)
    record = aCommandRecord({
      status: 'SUCCESS',
      output_files: { out_2: { ...output, is_deleted: true } },
    })
    await passes(720_000)
    expect(reads()).to.equal(3)
    await passes(7_200_000)
    expect(reads(), 'no URL is left').to.equal(3)
  })

  it('reads the record again when the stream reconnects, until the command has ended', async () => {
    const reconnect = async () => {
      await service.stream.breakOff()
      await passes(1_000)
      await service.stream.begin()
    }
    await open()
    await reconnect()
    expect(reads()).to.equal(2)
    record = aCommandRecord({ status: 'SUCCESS' })
    await command.read()
    await reconnect()
    expect(reads()).to.equal(3)
  })

  it('reads the record again when the stream reconnects after a failed read, and does not after 404', async () => {
    const reconnected = async (code: number) => {
      service.on(call, () => status(code, 'x'))
      await open()
      const before = reads()
      await service.stream.breakOff()
      await passes(1_000)
      await service.stream.begin()
      return reads() - before
    }
    expect(await reconnected(500)).to.equal(1)
    command.close()
    expect(await reconnected(404)).to.equal(0)
    expect(isUnknown(command.problem.value)).to.equal(true)
  })

  it('reads no record after the page of the command was left', async () => {
    record = aCommandRecord({
      status: 'SUCCESS',
      output_files: { out_1: aFile({ is_private: true }) },
    })
    await open()
    command.close()
    await passes(7_200_000)
    expect(reads()).to.equal(1)
  })

  it('isUnknown returns true for 404 and 422 alone', () => {
    const problem = (code: number) =>
      new ApiError({
        status: code,
        detail: 'x',
        mistakes: [],
        retryAfterSeconds: null,
        requestId: null,
      })
    const unknown = [404, 422, 401, 403, 500].map((code) => isUnknown(problem(code)))
    expect(unknown).to.deep.equal([true, true, false, false, false])
    expect([new Error('404'), null].map(isUnknown)).to.deep.equal([false, false])
  })

  it('endOf resolves with the record when an event says that the command has ended', async () => {
    await open()
    const ended = endOf(service.client, 'a')
    await service.settle()
    record = aCommandRecord({ status: 'FAILED', error_message: 'It failed' })
    await arrive(anEnd({ status: 'FAILED' }))
    expect((await ended).error_message).to.equal('It failed')
  })

  it('endOf rejects when the account does not have the command', async () => {
    await open()
    service.on(call, () => status(404, 'no such command'))
    expect(await rejectionOf(endOf(service.client, 'a'))).to.have.property('status', 404)
  })
})
