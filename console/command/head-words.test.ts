import { expect } from 'chai'
import { aCommandRecord } from '../../common/openapi/a-command-record.ts'
import { aFile } from '../shell/samples.fixture.ts'
import { deletionOf, percentWords, tabTitle } from './head-words.ts'
import type { OriginalRequest } from '../../common/openapi/openapi-types.ts'

const request = {
  output_files: { out_1: 'film.mp4', out_2: 'b.png' },
} as unknown as OriginalRequest

describe('the words of a command', () => {
  it('returns the percent of a running command, rounded down so that 100 % is the end', () => {
    const words = (
      progress_percent: number | null,
      status: 'PROCESSING' | 'SUCCESS' = 'PROCESSING',
    ) => percentWords({ status, progress_percent })
    expect([words(0), words(99.9), words(null)]).to.deep.equal(['0 %', '99 %', ''])
    expect(words(100, 'SUCCESS')).to.equal('')
  })

  it('titles the tab by the percent or the state of the command and its first output', () => {
    expect(tabTitle(null)).to.equal('Command')
    const record = aCommandRecord({ original_request: request })
    expect(tabTitle(record)).to.equal('Queued · film.mp4')
    expect(tabTitle({ ...record, status: 'PROCESSING', progress_percent: 42.5 })).to.equal(
      '42 % · film.mp4',
    )
    expect(tabTitle({ ...record, status: 'PROCESSING' })).to.equal('Starting · film.mp4')
    expect(tabTitle({ ...record, status: 'FAILED', error_status: 'CANCELLED' })).to.equal(
      'Cancelled · film.mp4',
    )
  })

  it('titles the tab by the id when outputs have no names or the request was deleted', () => {
    expect(tabTitle(aCommandRecord({ status: 'SUCCESS' }))).to.equal('Done · a')
    const folder = { output_files: 'OUTPUT_FOLDER' } as unknown as OriginalRequest
    expect(tabTitle(aCommandRecord({ original_request: folder }))).to.equal('Queued · a')
  })
})

describe('deletionOf', () => {
  it('counts the stored outputs that a deletion removes, and names their size', () => {
    const output_files = {
      out_1: aFile({ size_mbytes: 2 }),
      out_2: aFile({ size_mbytes: null }),
      out_3: aFile({ size_mbytes: 50, is_deleted: true }),
    }
    expect(deletionOf(aCommandRecord({ output_files }))).to.deep.equal({
      count: 2,
      files: '2 outputs',
      text: '2 outputs of this command (2.0 MB) will be deleted. Their URLs stop working. The record stays.',
    })
    expect(deletionOf(aCommandRecord({ output_files: { out_1: aFile() } })).files).to.equal(
      '1 output',
    )
    expect(deletionOf(aCommandRecord()).count).to.equal(0)
  })
})
