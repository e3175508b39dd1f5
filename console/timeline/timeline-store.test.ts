import { signal } from '@preact/signals'
import { expect } from 'chai'
import { aCommandRecord } from '../../common/openapi/a-command-record.ts'
import { scriptedService, status } from '../shell/scripted-service.fixture.ts'
import { createTimeline } from './timeline-store.ts'
import type { CommandStatusRecord } from '../../common/openapi/openapi-types.ts'
import type { ScriptedService } from '../shell/scripted-service.fixture.ts'

const call = 'GET /v1/commands/a/timeline'

describe('the timeline of a command', () => {
  let service: ScriptedService
  const record = signal<CommandStatusRecord | null>(null)
  let timeline: ReturnType<typeof createTimeline>
  beforeEach(() => {
    service = scriptedService()
    service.on(call, () => ({ command_id: 'a', waits: [], attempts: [] }))
    record.value = null
    timeline = createTimeline(service.client, 'a', record)
  })
  afterEach(() => timeline.close())
  const becomes = async (change: Partial<CommandStatusRecord>) => {
    record.value = aCommandRecord(change)
    await service.settle()
  }
  const reads = () => service.requests.length

  it('reads the timeline once the record is known, and not before', async () => {
    await service.settle()
    expect(reads()).to.equal(0)
    await becomes({})
    expect(reads()).to.equal(1)
    expect(timeline.timeline.value).to.deep.include({ command_id: 'a' })
  })

  it('reads the timeline again for another state, stage, attempt, queue reason or step, and not for a percent', async () => {
    const step = {
      index: 0,
      progress_percent: null,
      ffmpeg_command_run_seconds: null,
      exit_code: null,
    }
    const changes: Partial<CommandStatusRecord>[] = [
      { queue_reason: 'DISPATCH' },
      { status: 'PROCESSING' },
      { status: 'PROCESSING', processing_stage: 'DOWNLOADING' },
      { status: 'PROCESSING', processing_stage: 'DOWNLOADING', attempts: 2 },
      { status: 'PROCESSING', steps: [{ ...step, status: 'QUEUED' }] },
      { status: 'PROCESSING', steps: [{ ...step, status: 'PROCESSING' }] },
    ]
    for (const [index, change] of changes.entries()) {
      await becomes(change)
      expect(reads(), JSON.stringify(change)).to.equal(index + 1)
    }
    const last = changes.at(-1) ?? {}
    for (const progress_percent of [1, 2, 3]) await becomes({ ...last, progress_percent })
    expect(reads()).to.equal(changes.length)
  })

  it('reads the timeline again at the next change of the record when a read failed', async () => {
    service.on(call, () => status(500, 'Internal error'))
    await becomes({})
    expect(timeline.timeline.value).to.equal(null)
    service.on(call, () => ({ command_id: 'a', waits: [], attempts: [] }))
    await becomes({})
    expect(timeline.timeline.value).not.to.equal(null)
  })

  it('reads no timeline after the page was left', async () => {
    await becomes({})
    timeline.close()
    await becomes({ status: 'PROCESSING' })
    expect(reads()).to.equal(1)
  })
})
