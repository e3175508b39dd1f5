import { signal } from '@preact/signals'
import { expect } from 'chai'
import { aCommandRecord } from '../../../common/openapi/a-command-record.ts'
import { notice } from '../../parts/notices.ts'
import { aFile } from '../../shell/samples.fixture.ts'
import { openTab, status } from '../../shell/scripted-service.fixture.ts'
import { aFileOf, testUploads } from '../../uploads/uploads.fixture.ts'
import { aDraft } from '../any-draft.fixture.ts'
import { shownRequest } from '../shown-request.ts'
import { createPlayground } from './playground-store.ts'
import { emptyWork } from './works.ts'
import type { Signal } from '@preact/signals'
import type { TestTab } from '../../shell/scripted-service.fixture.ts'
import type { TestUploads } from '../../uploads/uploads.fixture.ts'
import type { Work } from './works.ts'

const usable = aDraft({ inputs: [], commands: ['-f lavfi -i testsrc2 {{out_1}}'] })
const reading = aDraft({ commands: ['-i {{in_1}} {{out_1}}'] })

describe('createPlayground', () => {
  let test: TestUploads
  let tab: TestTab
  let work: Signal<Work>
  let playground: ReturnType<typeof createPlayground>
  let sent: number
  const submitted = () =>
    test.service.requests.filter((one) => one === 'POST /v1/run-ffmpeg-command').length
  beforeEach(() => {
    test = testUploads()
    tab = openTab(test.service)
    test.service.on('POST /v1/validate-ffmpeg-command', () => ({
      errors: [],
      warnings: [],
      plan_error: null,
    }))
    test.service.on('POST /v1/run-ffmpeg-command', () => ({ command_id: 'c1' }))
    work = signal(emptyWork)
    sent = 0
    playground = createPlayground({
      client: test.service.client,
      work,
      uploads: signal(test.uploads),
      onSent: () => (sent += 1),
      clock: test.service.clock,
    })
  })
  afterEach(() => {
    playground.close()
    test.uploads.close()
    tab.close()
  })

  it('run submits the draft and keeps the id of the command', async () => {
    playground.edit(usable)
    playground.run()
    expect(work.value.phase).to.equal('sending')
    playground.run()
    await test.settle()
    expect([submitted(), sent]).to.deep.equal([1, 1])
    expect(work.value).to.include({ runId: 'c1', phase: 'editing' })
  })

  it('run waits for a file that is uploaded, and submits its URL', async () => {
    playground.edit(reading)
    playground.take([aFileOf('film.mov')])
    await test.settle()
    playground.run()
    expect([work.value.phase, submitted()]).to.deep.equal(['armed', 0])
    test.parts[0]?.store()
    await test.settle()
    expect([work.value.runId, submitted()]).to.deep.equal(['c1', 1])
    expect(test.service.bodies.at(-1)).to.deep.include({
      input_files: { in_1: 'https://s3.example/f1' },
    })
  })

  it('submits nothing after an edit, or once the page is left, when the command was armed', async () => {
    playground.edit(reading)
    playground.take([aFileOf('film.mov')])
    await test.settle()
    playground.run()
    playground.edit({ ...work.value.draft, commands: ['-i {{in_1}} -an {{out_1}}'] })
    expect(work.value.phase).to.equal('editing')
    playground.run()
    playground.close()
    test.parts[0]?.store()
    await test.settle()
    expect([work.value.phase, submitted()]).to.deep.equal(['editing', 0])
  })

  it('run shows mistakes at their fields when the service refuses them', async () => {
    const mistake = { loc: ['body', 'vcpu_count'], msg: 'must be a number', type: 'int_parsing' }
    test.service.on('POST /v1/run-ffmpeg-command', () =>
      Response.json({ detail: [mistake] }, { status: 422 }),
    )
    playground.edit(usable)
    playground.run()
    await test.settle()
    expect(playground.problems.value.map(({ text }) => text)).to.deep.equal(['must be a number'])
    expect([work.value.phase, playground.facts.value.wrong]).to.deep.equal(['editing', 1])
  })

  it('run says the reason when the service fails', async () => {
    test.service.on('POST /v1/run-ffmpeg-command', () => status(400, 'Not today'))
    playground.edit(usable)
    playground.run()
    await test.settle()
    expect(notice.value).to.deep.equal({ text: 'Not today.', bad: true })
    expect(work.value).to.include({ runId: null, phase: 'editing' })
  })

  it('open takes the request of a command, and says when it was deleted', () => {
    playground.open(aCommandRecord({ original_request: shownRequest(usable) }))
    expect(work.value.draft.commands).to.deep.equal(usable.commands)
    const before = work.value
    playground.open(aCommandRecord({ original_request: null }))
    expect(work.value).to.equal(before)
    expect(notice.value?.text).to.contain('has deleted the request')
  })

  it('takeSample takes the output of the sample as an input', async () => {
    const output = aFile({ storage_url: 'https://s3.example/sample.mp4' })
    test.service.on('GET /v1/commands/c1', () =>
      aCommandRecord({ command_id: 'c1', status: 'SUCCESS', output_files: { out_1: output } }),
    )
    await test.service.clock.until(playground.takeSample())
    expect(work.value.draft.inputs[0]?.url).to.equal(output.storage_url)
    expect(notice.value?.text).to.equal('The sample clip is an input now.')
  })
})
