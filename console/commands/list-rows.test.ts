import { expect } from 'chai'
import { rowsFor, updated } from './list-rows.ts'
import type { AccountEvent, CommandListItem } from '../../common/openapi/openapi-types.ts'

const item: CommandListItem = {
  ...{
    command_id: 'a',
    environment_name: null,
    status: 'QUEUED',
    error_status: null,
    error_message: null,
  },
  ...{ created_at: '2026-05-19T18:15:20Z', storage_quota_used: null, processing_quota_used: null },
  ...{
    output_file_count: null,
    command_type: 'FFMPEG_COMMAND',
    finished_at: null,
    metadata: { order: 17 },
  },
}
const event: AccountEvent = {
  ...{
    command_id: 'a',
    status: 'PROCESSING',
    processing_stage: 'FFMPEG_PROCESSING',
    progress_percent: 42,
  },
  ...{
    attempts: 1,
    error_status: null,
    error_message: null,
    queue_position: null,
    queue_reason: null,
  },
  ...{
    started_at: '2026-05-19T18:15:21Z',
    finished_at: null,
    steps: [],
    timestamp: '2026-05-19T18:15:22Z',
  },
}

describe('rows of the list', () => {
  it('take what an event says and keep the rest', () => {
    expect(updated(item, event)).to.include({ status: 'PROCESSING', progress_percent: 42 })
    expect(updated(item, event)?.metadata).to.deep.equal({ order: 17 })
  })

  it('ignore events that arrive after their end', () => {
    expect(updated({ ...item, finished_at: '2026-05-19T18:15:25Z' }, event)).to.equal(null)
  })

  it('are kept when the list is read again', () => {
    const rows = rowsFor([item], [])
    const again = rowsFor(
      [
        { ...item, command_id: 'b' },
        { ...item, status: 'SUCCESS' },
      ],
      rows,
    )
    expect(again[1]).to.equal(rows[0])
    expect(rows[0]?.value.status).to.equal('SUCCESS')
    expect(again.map((row) => row.value.command_id)).to.deep.equal(['b', 'a'])
  })
})
