import { expect } from 'chai'
import { ApiError } from '../../cli/client/errors.ts'
import { openTab, scriptedService } from '../shell/scripted-service.fixture.ts'
import { createPageList } from './page-list.ts'
import type { ScriptedService, TestTab } from '../shell/scripted-service.fixture.ts'
import type { PageList } from './page-list.ts'

describe('createPageList', () => {
  let service: ScriptedService
  let tab: TestTab
  let list: PageList<string>
  let reads: number
  let answer: () => readonly string[]
  const open = async () => {
    list = createPageList({
      clock: service.clock,
      listen: () => () => undefined,
      async readPage() {
        reads += 1
        return { items: answer(), hasOlder: false }
      },
    })
    await passes(0)
  }
  const passes = async (ms: number) => {
    await service.clock.advance(ms)
    await service.settle()
  }
  beforeEach(async () => {
    service = scriptedService()
    tab = openTab(service)
    reads = 0
    answer = () => ['b', 'a']
    await service.stream.begin()
    await open()
  })
  afterEach(() => {
    list.close()
    tab.close()
  })

  it('reads the page at once, and again when the stream of events reconnects', async () => {
    expect([list.items.value, list.state.value, reads]).to.deep.equal([['b', 'a'], 'ready', 1])
    await service.stream.breakOff()
    await passes(1_000)
    await service.stream.begin()
    await passes(0)
    expect(reads).to.equal(2)
  })

  it('isEmpty is true only after a page without items was read', async () => {
    expect(list.isEmpty.value).to.equal(false)
    answer = () => []
    await list.read()
    expect(list.isEmpty.value).to.equal(true)
  })

  it('keeps its items when a second read fails, and fails when it has none', async () => {
    answer = () => {
      throw new Error('refused')
    }
    await list.read()
    expect([list.state.value, list.items.value.length]).to.deep.equal(['ready', 2])
    list.close()
    await open()
    expect(list.state.value).to.equal('failed')
    expect(list.problem.value).to.have.property('message', 'refused')
  })

  it('reads again by itself after the time of a 429, and not after a mistake', async () => {
    const refuse = (status: number, retryAfterSeconds: number | null) => () => {
      throw new ApiError({ status, detail: 'x', mistakes: [], retryAfterSeconds, requestId: null })
    }
    answer = refuse(429, 7)
    await list.read()
    answer = refuse(422, null)
    await passes(6_999)
    expect(reads).to.equal(2)
    await passes(1)
    expect(reads).to.equal(3)
    await passes(60_000)
    expect(reads).to.equal(3)
  })

  it('readSoon reads once, at the time of the first call', async () => {
    list.readSoon(400, ['c'])
    await passes(300)
    list.readSoon(400, ['d'])
    await passes(99)
    expect(reads).to.equal(1)
    await passes(10_000)
    expect([reads, list.waiting.value.size]).to.deep.equal([2, 0])
  })

  it('readSoon counts each id once while the list is held, and reads when it is released', async () => {
    list.hold(true)
    for (const ids of [['c'], ['c'], ['d'], []]) list.readSoon(400, ids)
    await passes(10_000)
    expect([[...list.waiting.value], reads]).to.deep.equal([['c', 'd'], 1])
    list.hold(false)
    await passes(0)
    expect([list.waiting.value.size, reads]).to.deep.equal([0, 2])
    list.hold(true)
    list.hold(false)
    await passes(10_000)
    expect(reads, 'nothing has come since').to.equal(2)
  })

  it('reads when it is released after events without an id', async () => {
    list.hold(true)
    list.readSoon(400)
    list.hold(false)
    await passes(0)
    expect(reads).to.equal(2)
  })

  it('reads nothing after it was closed, although a read was due', async () => {
    list.readSoon(400)
    list.close()
    await passes(10_000)
    expect(reads).to.equal(1)
  })
})
