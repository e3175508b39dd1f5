import { expect } from 'chai'
import { bytesPerMbyte } from '../../domain/plans.ts'
import { withinQuota } from './within-quota.ts'

describe('withinQuota', () => {
  const limits = { processingMbytes: 100, storageMbytes: 50 }
  const command = (commandId: string, mbytes = 16, outputMbytes = 0) => ({
    commandId,
    vcpuCount: 1,
    reservedBytes: mbytes * bytesPerMbyte,
    reservedOutputBytes: outputMbytes * bytesPerMbyte,
  })
  const file = { ...command('file', 0), vcpuCount: 0 }
  const use = ({ processing = 0, stored = 0, reserved = 0, live = 0 }) => ({
    processingBytes: processing * bytesPerMbyte,
    storedBytes: stored * bytesPerMbyte,
    reservedBytes: reserved * bytesPerMbyte,
    reservedOutputBytes: 0,
    live,
  })

  it('starts commands in their order as far as used and reserved bytes go', () => {
    const queue = [command('1'), command('2'), command('3')]
    expect(withinQuota(queue, use({ processing: 60 }), limits)).to.deep.equal({
      started: ['1', '2'],
      problem: null,
      ended: [],
      wait: 'Waits for the processing quota: 60 of 100 MB used, 48 MB reserved by this command and those that run',
    })
    expect(withinQuota(queue, use({ processing: 20 }), limits).started).to.have.length(3)
  })

  it('lets no smaller command pass one that waits for a quota', () => {
    const queue = [command('1', 60), command('2', 1)]
    const { started, wait } = withinQuota(
      queue,
      use({ processing: 40, reserved: 16, live: 1 }),
      limits,
    )
    expect(started).to.deep.equal([])
    expect(wait).to.contain('76 MB reserved')
  })

  it('starts one command when none is admitted, because it would never start otherwise', () => {
    const queue = [command('1'), command('2')]
    expect(withinQuota(queue, use({ processing: 99 }), limits).started).to.deep.equal(['1'])
  })

  it('ends commands when a quota is used up, and starts work on files', () => {
    const queue = [command('1'), file, command('2')]
    for (const [used, problem] of [
      [{ processing: 100 }, 'Processing quota exceeded: 100 of 100 MB used this month'],
      [{ stored: 51 }, 'Storage quota exceeded: 51 of 50 MB used'],
    ] as const) {
      expect(withinQuota(queue, use(used), limits)).to.deep.equal({
        started: ['file'],
        problem,
        ended: ['1', '2'],
        wait: null,
      })
    }
  })

  it('admission waits for storage by what the outputs reserve', () => {
    const queue = [command('1', 16, 30), command('2', 16, 30)]
    const { started, wait } = withinQuota(queue, use({ stored: 10 }), limits)
    expect(started).to.deep.equal(['1'])
    expect(wait).to.match(/^Waits for the storage quota: 10 of 50 MB used, 60 MB reserved/)
  })

  it('limits nothing for an account without quotas', () => {
    const none = { processingMbytes: null, storageMbytes: null }
    const queue = [command('1'), command('2')]
    expect(withinQuota(queue, use({ processing: 1e6, stored: 1e6 }), none).started).to.have.length(
      2,
    )
  })
})
