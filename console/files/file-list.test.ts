import { expect } from 'chai'
import { aFile } from '../shell/samples.fixture.ts'
import { openTab, scriptedService, status } from '../shell/scripted-service.fixture.ts'
import { filtersIn, pageSize } from './file-filters.ts'
import { createFileList } from './file-list.ts'
import type { FileEvent } from '../../common/openapi/openapi-types.ts'
import type { ScriptedService, TestTab } from '../shell/scripted-service.fixture.ts'
import type { ListedFile } from './file-facts.ts'
import type { FileList } from './file-list.ts'

describe('the list of files', () => {
  let service: ScriptedService
  let tab: TestTab
  let list: FileList
  let listed: ListedFile[]
  beforeEach(() => {
    service = scriptedService()
    tab = openTab(service)
    listed = [aFile({ file_id: 'b' }), aFile({ file_id: 'a', status: 'QUEUED' })]
    service.on('GET /v1/files', () => listed)
  })
  afterEach(() => {
    list.close()
    tab.close()
  })
  const open = async (query = '') => {
    list = createFileList(service.client, filtersIn(new URLSearchParams(query)), service.clock)
    await service.settle()
    await service.stream.begin()
    await passes(0)
    service.requests.splice(0)
  }
  const reads = () => service.requests.filter((one) => one.startsWith('GET /v1/files?')).length
  const shown = () => list.items.value.map(({ file_id: id, status }) => `${id} ${status}`)
  const arrives = (file_id: string, change: Partial<FileEvent> = {}) =>
    service.stream.send('file', { file_id, status: 'STORED', command_id: null, ...change })
  const passes = async (ms: number) => {
    await service.clock.advance(ms)
    await service.settle()
  }

  it('shows the files that the service lists, and requests events of files, when the page opens', async () => {
    await open()
    expect(shown()).to.deep.equal(['b STORED', 'a QUEUED'])
    expect([list.state.value, list.hasOlder.value]).to.deep.equal(['ready', false])
    expect(service.stream.opened.at(-1)).to.equal('/v1/events?files=true')
    listed = Array.from({ length: pageSize }, (_, index) => aFile({ file_id: `f${index}` }))
    await list.read()
    expect(list.hasOlder.value).to.equal(true)
  })

  it('reads one file alone when its state has changed, and nothing when it has not', async () => {
    await open()
    service.on('GET /v1/files/a', () => aFile({ file_id: 'a' }))
    await arrives('a')
    expect(shown()).to.deep.equal(['b STORED', 'a STORED'])
    await arrives('b')
    await passes(10_000)
    expect(service.requests).to.deep.equal(['GET /v1/files/a'])
  })

  it('removes a file when the service answers 404, and keeps it when the read fails otherwise', async () => {
    await open()
    service.on('GET /v1/files/a', () => status(500, 'Internal error'))
    await arrives('a')
    expect(shown()).to.have.length(2)
    service.on('GET /v1/files/a', () => status(404, 'no such file'))
    await arrives('a')
    expect(shown()).to.deep.equal(['b STORED'])
  })

  it('reads new files 700 ms after the first of them, with one request', async () => {
    await open()
    listed = [aFile({ file_id: 'd' }), aFile({ file_id: 'c' }), ...listed]
    await arrives('c')
    await passes(600)
    await arrives('d')
    await passes(100)
    expect(shown()).to.have.length(4)
    await passes(10_000)
    expect(reads()).to.equal(1)
  })

  it('ignores files of other commands when it has a filter of one, and new files on a page behind the first', async () => {
    await open('command=x')
    await arrives('c', { command_id: 'y' })
    await passes(10_000)
    expect(reads()).to.equal(0)
    await arrives('c', { command_id: 'x' })
    await passes(700)
    expect(reads()).to.equal(1)
    list.close()
    await open('before=c')
    await arrives('d')
    await passes(10_000)
    expect(reads()).to.equal(0)
  })

  it('removes deleted files before the list is read again', async () => {
    await open()
    list.remove(new Set(['b', 'x']))
    expect(shown()).to.deep.equal(['a QUEUED'])
  })
})
