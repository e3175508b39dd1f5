import { expect } from 'chai'
import { anEnd, anEvent, anItem } from '../shell/samples.fixture.ts'
import { openTab, scriptedService } from '../shell/scripted-service.fixture.ts'
import { createCommandList } from './command-list.ts'
import { filtersIn, pageSize } from './filters.ts'
import type { AccountEvent, CommandListItem } from '../../common/openapi/openapi-types.ts'
import type { ScriptedService, TestTab } from '../shell/scripted-service.fixture.ts'
import type { PageList } from '../lists/page-list.ts'
import type { Row } from './list-rows.ts'

describe('the list of commands', () => {
  let service: ScriptedService
  let tab: TestTab
  let list: PageList<Row>
  let listed: CommandListItem[]
  beforeEach(async () => {
    service = scriptedService()
    tab = openTab(service)
    listed = [anItem({ command_id: 'c' }), anItem({ command_id: 'b' })]
    service.on('GET /v1/commands', () => listed)
    await service.stream.begin()
  })
  afterEach(() => {
    list.close()
    tab.close()
  })
  const open = async (query = '') => {
    list = createCommandList(service.client, filtersIn(new URLSearchParams(query)), service.clock)
    await service.settle()
  }
  const reads = () => service.requests.length
  const shown = () => list.items.value.map((row) => `${row.value.command_id} ${row.value.status}`)
  /** Events arrive, and are drawn. */
  const arrive = async (...events: AccountEvent[]) => {
    for (const event of events) await service.stream.send('command', event)
    tab.draw()
  }
  const passes = async (ms: number) => {
    await service.clock.advance(ms)
    await service.settle()
  }

  it('shows the commands that the service lists, and whether there are older ones, when the page opens', async () => {
    await open()
    expect(shown()).to.deep.equal(['c QUEUED', 'b QUEUED'])
    expect([list.state.value, list.hasOlder.value, list.isEmpty.value]).to.deep.equal([
      'ready',
      false,
      false,
    ])
    listed = Array.from({ length: pageSize }, (_, index) => anItem({ command_id: `c${index}` }))
    await list.read()
    expect(list.hasOlder.value).to.equal(true)
    listed = []
    await list.read()
    expect(list.isEmpty.value).to.equal(true)
  })

  it('changes a row by an event without a request, and draws no other row again', async () => {
    await open()
    const [first, second] = list.items.value
    let drawn = 0
    const stop = first?.subscribe(() => (drawn += 1))
    await arrive(anEvent({ command_id: 'b' }))
    stop?.()
    expect(second?.value).to.include({ status: 'PROCESSING', progress_percent: 42 })
    expect([drawn, reads()]).to.deep.equal([1, 1])
  })

  it('reads new commands 400 ms after the first of them, with one request', async () => {
    await open()
    listed = [anItem({ command_id: 'e' }), anItem({ command_id: 'd' }), ...listed]
    await arrive(anEvent({ command_id: 'd' }))
    await passes(300)
    await arrive(anEvent({ command_id: 'e' }))
    await passes(99)
    expect(reads()).to.equal(1)
    await passes(1)
    expect(shown().slice(0, 2)).to.deep.equal(['e QUEUED', 'd QUEUED'])
    await passes(10_000)
    expect(reads()).to.equal(2)
  })

  it('reads the list again 400 ms after commands with pictures have ended, and once', async () => {
    const made = (id: string, names: string[]) =>
      anItem({ command_id: id, output_names: names, preview_url: null })
    listed = [made('c', ['c.mp4']), made('b', ['b.mp3'])]
    await open()
    await arrive(anEnd({ command_id: 'b' }))
    await passes(10_000)
    expect(reads()).to.equal(1)
    await arrive(anEnd({ command_id: 'c' }))
    listed = listed.map((item) => ({ ...item, status: 'SUCCESS', preview_url: null }))
    await passes(400)
    await arrive(anEvent({ command_id: 'b' }))
    await passes(10_000)
    expect(reads()).to.equal(2)
  })

  it('changes rows in their places while the list of commands is held', async () => {
    await open()
    list.hold(true)
    await arrive(anEnd({ command_id: 'b' }))
    expect(shown()).to.deep.equal(['c QUEUED', 'b SUCCESS'])
    expect(list.waiting.value.size).to.equal(0)
  })

  it('reads the list when it is released after commands came that filters do not let it count', async () => {
    await open('state=failed')
    list.hold(true)
    await arrive(anEnd({ command_id: 'a', status: 'FAILED' }))
    expect(list.waiting.value.size).to.equal(0)
    listed = [...listed, anItem({ command_id: 'a', status: 'FAILED' })]
    list.hold(false)
    await passes(0)
    expect(shown()).to.have.length(3)
  })

  it('ignores events of commands that are older than the newest row, which are on the pages behind', async () => {
    await open()
    await arrive(anEvent({ command_id: 'a' }))
    await passes(10_000)
    expect(reads()).to.equal(1)
  })

  it('changes rows and reads nothing on a page behind the first when new commands come', async () => {
    await open('before=d')
    await arrive(anEvent({ command_id: 'e' }), anEnd({ command_id: 'c' }))
    await passes(10_000)
    expect([reads(), shown()[0]]).to.deep.equal([1, 'c SUCCESS'])
  })
})
