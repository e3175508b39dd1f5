import { expect } from 'chai'
import { aCommandRecord } from '../../../common/openapi/a-command-record.ts'
import { aFile } from '../../shell/samples.fixture.ts'
import { aDraft, anInput, aStoredFile } from '../any-draft.fixture.ts'
import { draftFrom } from '../draft.ts'
import { shownRequest } from '../shown-request.ts'
import { cleared, disarmed, edited, noted, opened, taken, withSample } from './work.ts'
import { emptyWork } from './works.ts'
import type { Work } from './works.ts'

const aWork = (change: Partial<Work> = {}): Work => ({ ...emptyWork, ...change })
const draft = aDraft({ commands: ['-i {{in_1}} {{out_1}}'] })
const failed = aCommandRecord({
  status: 'FAILED',
  original_request: shownRequest(draft),
  error_message: "FFmpeg refused the command: No such filter: 'scal'",
})
const failure = { index: 0, text: 'x', message: 'y' }

describe('work', () => {
  it('edited replaces the draft and disarms the command, but does not take back one that is being sent', () => {
    expect(edited(aWork({ phase: 'armed', runId: 'a' }), draft)).to.deep.equal(
      aWork({ draft, runId: 'a' }),
    )
    expect(edited(aWork({ phase: 'sending' }), draft).phase).to.equal('sending')
  })

  it('disarmed returns the same work when it is not armed', () => {
    const work = aWork({ phase: 'sending' })
    expect(disarmed(work)).to.equal(work)
    expect(disarmed(aWork({ phase: 'armed' })).phase).to.equal('editing')
  })

  it('cleared removes draft, result and failure', () => {
    expect(cleared(aWork({ draft, runId: 'a', failure, phase: 'armed' }))).to.deep.equal(emptyWork)
    expect(cleared(aWork({ phase: 'sending' })).phase).to.equal('sending')
  })

  it('opened has the request and the failure of a command, and no result', () => {
    const work = opened(aWork({ runId: 'a', phase: 'armed' }), failed)
    expect(work).to.deep.include({ runId: null, phase: 'editing' })
    expect(work?.draft).to.deep.equal(draftFrom(shownRequest(draft)))
    expect(work?.failure?.message).to.equal(failed.error_message)
  })

  it('opened returns null when the service has deleted the request', () => {
    expect(opened(emptyWork, { ...failed, original_request: null })).to.equal(null)
  })

  it('noted keeps the failure before when a command has not failed', () => {
    const work = aWork({ failure })
    expect(noted(work, { ...failed, status: 'SUCCESS' })).to.deep.equal(work)
    expect(noted(work, failed).failure?.message).to.equal(failed.error_message)
  })

  it('taken puts a file where an input has none, and not twice', () => {
    const file = { name: 'a.mov', size: 2 * 1_048_576 }
    const next = taken(emptyWork, file, 'u1')
    const chosen = { name: 'a.mov', mbytes: 2, upload: 'u1' }
    expect(next.inputs).to.deep.equal([anInput({ file: chosen })])
    expect(taken(aWork({ draft: next }), file, 'u1')).to.equal(next)
    expect(taken(aWork({ draft: next }), file, 'u2').inputs).to.have.length(2)
  })

  it('withSample has the output of the sample as an input, and throws its error when it has failed', () => {
    const url = 'https://s3.example/public/sample.mp4'
    const sample = aCommandRecord({
      output_files: { out_1: aFile({ storage_url: url, size_mbytes: 3 }) },
    })
    const file = aStoredFile({ name: 'sample.mp4', mbytes: 3 })
    expect(withSample(emptyWork, sample).inputs).to.deep.equal([anInput({ url, file })])
    expect(() => withSample(emptyWork, { ...failed, output_files: null })).to.throw(
      'No such filter',
    )
    const silent = { ...failed, output_files: null, error_message: null }
    expect(() => withSample(emptyWork, silent)).to.throw('The sample has failed')
  })
})
