import { expect } from 'chai'
import { deletionText, originOf, titleOf } from './file-facts.ts'
import type { ListedFile } from './file-facts.ts'

const stored: ListedFile = {
  ...{ file_id: 'f', environment_name: null, status: 'STORED', service_store_type: 'STORED_FILE' },
  ...{ storage_url: 'https://s/a/_t_.mp4', original_file_url: 'été.mp4', size_mbytes: 2.5 },
  ...{ error_status: null, external_error_message: null, is_deleted: false, is_private: false },
  ...{ file_count: null, size_compressed_mbytes: null, file_type: 'video', file_format: 'mp4' },
  ...{ created_at: '2026-11-24T12:00:00.000000Z', command_id: null, expires_at: null },
}
const output: ListedFile = {
  ...{ ...stored, service_store_type: 'OUTPUT', original_file_url: null, command_id: 'c' },
  storage_url: 'https://s/a/small%20one.mp4?X-Amz-Expires=900',
}
const fetched = { ...stored, original_file_url: 'https://media.example/x/clip.mov?a=b' }

describe('a file', () => {
  it('has the name that the client or the command gave it', () => {
    expect(titleOf(stored)).to.equal('été.mp4')
    expect(titleOf(output)).to.equal('small one.mp4')
    expect(titleOf({ ...fetched, storage_url: null })).to.equal('clip.mov')
    expect(titleOf({ ...output, storage_url: null })).to.equal('f')
  })

  it('says how it came', () => {
    expect([stored, output, fetched].map(originOf)).to.deep.equal([
      'Upload',
      'Output',
      'From a URL',
    ])
  })

  it('is deleted with words for what goes and what stays', () => {
    expect(deletionText([stored])).to.equal(
      'été.mp4 (2.5 MB) will be deleted. Its URL stops working.',
    )
    const playlist = { ...output, file_type: 'output_manifest', size_mbytes: null }
    expect(deletionText([...Array<ListedFile>(5).fill(stored), playlist])).to.equal(
      'été.mp4, été.mp4, été.mp4, été.mp4, été.mp4 and 1 more (12.5 MB) will be deleted. Their URLs stop working. A playlist goes with its segments. The records of the commands stay.',
    )
  })
})
