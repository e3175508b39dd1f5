import { expect } from 'chai'
import { trouble } from './trouble.ts'
import { anEvent } from './samples.fixture.ts'
import { isLive, keepLive, nextTry, onConnect, onEvents, onFiles, retryNow } from './live.ts'
import { openTab, scriptedService, startMs } from './scripted-service.fixture.ts'
import type { AccountEvent } from '../../common/openapi/openapi-types.ts'
import type { ScriptedService, TestTab } from './scripted-service.fixture.ts'

describe('the stream of events of a tab', () => {
  let service: ScriptedService
  let tab: TestTab
  /** Ids of the commands of each call of the listener. */
  let calls: string[][]
  let ends: (() => void)[]
  beforeEach(() => {
    service = scriptedService()
    tab = openTab(service)
    calls = []
    ends = [onEvents((events) => void calls.push(events.map((one) => one.command_id))), tab.close]
  })
  afterEach(() => {
    for (const end of ends) end()
    trouble.value = null
  })
  /** The tab opens while the service answers streams by this status. */
  const openRefused = async (status: number) => {
    tab.close()
    service = scriptedService()
    service.stream.refuse(status)
    tab = openTab(service)
    ends.push(tab.close)
    await service.settle()
  }
  const send = (...ids: AccountEvent['command_id'][]) =>
    Promise.all(ids.map((command_id) => service.stream.send('command', anEvent({ command_id }))))

  it('gives listeners the events of one frame together, in the order of their arrival', async () => {
    await service.stream.begin()
    await send('a', 'b', 'a')
    expect(calls).to.deep.equal([])
    expect(tab.frames).to.have.length(1)
    tab.draw()
    expect(calls).to.deep.equal([['a', 'b', 'a']])
    await send('c')
    tab.draw()
    expect(calls.slice(1)).to.deep.equal([['c']])
  })

  it('gives events to listeners at once while the tab is hidden, where no frame is drawn', async () => {
    ends.push(keepLive())
    await service.stream.begin()
    tab.hide()
    await send('a')
    expect(calls).to.deep.equal([['a']])
  })

  it('gives events that wait for a frame to listeners when the tab is hidden before it', async () => {
    await service.stream.begin()
    await send('a', 'b')
    tab.hide()
    expect(calls).to.deep.equal([['a', 'b']])
    tab.draw()
    expect(calls, 'the frame comes later and has nothing more').to.have.length(1)
  })

  it('closes the stream 30 s after the tab was hidden, and opens it when the tab is shown', async () => {
    await service.stream.begin()
    tab.hide()
    await service.clock.advance(29_999)
    expect(isLive.value).to.equal(true)
    await service.clock.advance(1)
    expect(isLive.value).to.equal(false)
    expect(service.stream.opened).to.have.length(1)
    tab.show()
    await service.settle()
    expect(service.stream.opened).to.have.length(2)
  })

  it('keeps the stream open when the tab is shown again within 30 s', async () => {
    await service.stream.begin()
    tab.hide()
    await service.clock.advance(20_000)
    tab.show()
    await service.clock.advance(60_000)
    expect(isLive.value).to.equal(true)
    expect(service.stream.opened).to.have.length(1)
  })

  it('keeps the stream of a hidden tab open until no part of the page wants its events', async () => {
    const end = keepLive()
    await service.stream.begin()
    tab.hide()
    await service.clock.advance(600_000)
    expect(isLive.value).to.equal(true)
    end()
    await service.clock.advance(30_000)
    expect(isLive.value).to.equal(false)
  })

  it('calls back at each connection, when the stream begins and not before', async () => {
    let connections = 0
    ends.push(onConnect(() => (connections += 1)))
    await service.settle()
    expect([connections, isLive.value]).to.deep.equal([0, false])
    await service.stream.begin()
    expect([connections, isLive.value]).to.deep.equal([1, true])
    await service.stream.breakOff()
    // The client of the API connects again by itself after a second.
    await service.clock.advance(1_000)
    await service.stream.begin()
    expect(connections).to.equal(2)
  })

  it('opens a stream with events of files when the first part of the page wants them', async () => {
    await service.stream.begin()
    const files: string[] = []
    ends.push(onFiles(({ file_id: id }) => void files.push(id)))
    await service.settle()
    expect(service.stream.opened).to.deep.equal(['/v1/events', '/v1/events?files=true'])
    await service.stream.begin()
    await service.stream.send('file', { file_id: 'f', status: 'STORED', command_id: null })
    expect(files).to.deep.equal(['f'])
    ends.push(onFiles(() => undefined))
    await service.settle()
    expect(service.stream.opened, 'a second listener needs no other stream').to.have.length(2)
  })

  it('opens the stream again 4 s after a refusal with 500, and names that time until then', async () => {
    await openRefused(500)
    expect(trouble.value?.kind).to.equal('no-answer')
    expect(nextTry.value?.getTime()).to.equal(startMs + 4_000)
    service.stream.refuse(200)
    await service.clock.advance(3_999)
    expect(service.stream.opened).to.have.length(1)
    await service.clock.advance(1)
    await service.stream.begin()
    expect([isLive.value, nextTry.value]).to.deep.equal([true, null])
  })

  it('opens the stream at once, and only once, when the user does not want to wait', async () => {
    await openRefused(500)
    service.stream.refuse(200)
    retryNow()
    await service.stream.begin()
    expect([isLive.value, nextTry.value]).to.deep.equal([true, null])
    await service.clock.advance(60_000)
    expect(service.stream.opened).to.have.length(2)
  })

  it('opens no stream again when the service refuses the key', async () => {
    await openRefused(401)
    await service.clock.advance(600_000)
    expect(service.stream.opened).to.have.length(1)
    expect([isLive.value, nextTry.value]).to.deep.equal([false, null])
  })
})
