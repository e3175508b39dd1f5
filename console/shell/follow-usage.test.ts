import { expect } from 'chai'
import { followUsage } from './follow-usage.ts'
import { anEnd, anEvent } from './samples.fixture.ts'
import { openTab, scriptedService } from './scripted-service.fixture.ts'
import type { AccountEvent } from '../../common/openapi/openapi-types.ts'
import type { ScriptedService, TestTab } from './scripted-service.fixture.ts'

describe('the usage of an account', () => {
  let service: ScriptedService
  let tab: TestTab
  let taken: unknown[]
  let end: () => void
  beforeEach(async () => {
    service = scriptedService()
    tab = openTab(service)
    taken = []
    let reads = 0
    service.on('GET /v1/usage', () => ({ plan: `read ${(reads += 1)}` }))
    await service.stream.begin()
    end = followUsage(service.client, ({ plan }) => void taken.push(plan), service.clock)
    await service.settle()
  })
  afterEach(() => {
    end()
    tab.close()
  })
  const arrive = async (...events: AccountEvent[]) => {
    for (const event of events) await service.stream.send('command', event)
    tab.draw()
  }
  const passes = async (ms: number) => {
    await service.clock.advance(ms)
    await service.settle()
  }

  it('reads the usage at once, and again once, 3 s after commands have started or ended', async () => {
    expect(taken).to.deep.equal(['read 1'])
    await arrive(anEvent(), anEnd({ command_id: 'b' }))
    await passes(2_999)
    expect(taken).to.have.length(1)
    await passes(1)
    expect(taken).to.deep.equal(['read 1', 'read 2'])
    await passes(60_000)
    expect(taken).to.have.length(2)
  })

  it('reads no usage for the progress of a command', async () => {
    await arrive(anEvent())
    await passes(3_000)
    await arrive(anEvent({ progress_percent: 50 }), anEvent({ progress_percent: 60 }))
    await passes(60_000)
    expect(taken).to.have.length(2)
    await arrive(anEnd())
    await passes(3_000)
    expect(taken).to.have.length(3)
  })

  it('keeps the last figures when a read of the usage fails after a reconnect', async () => {
    service.on('GET /v1/usage', () => new Response(null, { status: 500 }))
    await service.stream.breakOff()
    await passes(1_000)
    await service.stream.begin()
    await passes(3_000)
    expect(service.requests).to.have.length(2)
    expect(taken).to.deep.equal(['read 1'])
  })

  it('reads no usage after another key was chosen', async () => {
    await arrive(anEvent())
    end()
    await passes(60_000)
    expect(taken).to.have.length(1)
  })
})
