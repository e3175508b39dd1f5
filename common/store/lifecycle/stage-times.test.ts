import { expect } from 'chai'
import { stagesOfAttempt, stagesOfCommand } from './stage-times.ts'

const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000)
const mark = (
  stage: 'PREPARING_INPUT_FILES' | 'FFMPEG_PROCESSING' | 'UPLOADING',
  second: number,
) => ({
  attempt: 1,
  stage,
  at: at(second).toISOString(),
})
const attempt = {
  claimedAt: at(10),
  endedAt: at(20),
  marks: [
    mark('PREPARING_INPUT_FILES', 11),
    mark('FFMPEG_PROCESSING', 11.5),
    mark('UPLOADING', 19),
  ],
}
const ended = {
  createdAt: at(0),
  dispatchedAt: at(1),
  admittedAt: at(5),
  finishedAt: at(20),
  attempt,
}

describe('stages of a command', () => {
  it('returns the waits and each stage until the next one', () => {
    expect(stagesOfCommand({ ...ended, status: 'SUCCESS' })).to.deep.equal([
      { stage: 'dispatch', outcome: 'ok', seconds: 1 },
      { stage: 'queue', outcome: 'ok', seconds: 4 },
      { stage: 'download', outcome: 'ok', seconds: 1 },
      { stage: 'prepare', outcome: 'ok', seconds: 0.5 },
      { stage: 'ffmpeg', outcome: 'ok', seconds: 7.5 },
      { stage: 'upload', outcome: 'ok', seconds: 1 },
    ])
  })

  it('returns failed for the stage in which the command failed alone', () => {
    const marks = attempt.marks.slice(0, 2)
    const stages = stagesOfCommand({ ...ended, status: 'FAILED', attempt: { ...attempt, marks } })
    expect(stages.map(({ stage, outcome }) => `${stage} ${outcome}`)).to.deep.equal([
      'dispatch ok',
      'queue ok',
      'download ok',
      'prepare ok',
      'ffmpeg failed',
    ])
  })

  it('returns the wait in which a command without an attempt ended', () => {
    const waited = { ...ended, admittedAt: null, attempt: null, status: 'FAILED' as const }
    expect(stagesOfCommand(waited)).to.deep.equal([
      { stage: 'dispatch', outcome: 'ok', seconds: 1 },
      { stage: 'queue', outcome: 'failed', seconds: 19 },
    ])
    expect(stagesOfCommand({ ...waited, dispatchedAt: null })).to.deep.equal([
      { stage: 'dispatch', outcome: 'failed', seconds: 20 },
    ])
  })

  it('returns lost for the stage of a lost attempt, and 0 when a clock was set back', () => {
    const marks = [mark('FFMPEG_PROCESSING', 9)]
    expect(stagesOfAttempt({ ...attempt, marks }, 'lost')).to.deep.equal([
      { stage: 'download', outcome: 'ok', seconds: 0 },
      { stage: 'ffmpeg', outcome: 'lost', seconds: 11 },
    ])
  })
})
