import { expect } from 'chai'
import { queueReasons } from '../../common/domain/states.ts'
import { exactTime } from './clock-time.ts'
import { age, duration, megabytes, secondsTaken } from './relative-time.ts'
import { shortId, shownState, waitingWords } from './state.ts'

describe('times and sizes', () => {
  it('times and sizes have the precision that they deserve', () => {
    expect([0, 0.01, 0.42, 9.94, 9.96, 59.6, 125, 3_600, 5_430].map(duration)).to.deep.equal([
      '0.0 s',
      '< 0.1 s',
      '0.4 s',
      '9.9 s',
      '10 s',
      '1 min',
      '2 min 5 s',
      '1 h',
      '1 h 31 min',
    ])
    const now = Date.parse('2026-05-19T18:15:20Z')
    expect(age('2026-05-19T18:14:49Z', now)).to.equal('31 s')
    expect(age('2026-05-19T18:10:20Z', now)).to.equal('5 min')
    expect(age('2026-05-17T18:10:20Z', now)).to.equal('2 d')
    expect(age('2026-05-19T18:15:25Z', now)).to.equal('0 s')
    expect([0, 0.01, 4.56, 1_200].map(megabytes)).to.deep.equal([
      '0.0 MB',
      '10.2 KB',
      '4.6 MB',
      '1200.0 MB',
    ])
  })
})

describe('the times of a command', () => {
  it('exactTime returns day, time and zone', () => {
    const time = new Date('2026-05-19T18:15:20Z')
    expect(exactTime(time, 'utc')).to.equal('19 May 2026, 18:15:20 UTC')
    expect(exactTime(time, 'local')).to.match(/^\d+ May 2026, \d\d:\d\d:20 \S+$/)
  })

  it('secondsTaken counts from the start, and returns null when a command never started or runs yet', () => {
    const [started_at, finished_at] = ['2026-05-19T18:00:48Z', '2026-05-19T18:01:00Z']
    expect(secondsTaken({ started_at, finished_at })).to.equal(12)
    expect(secondsTaken({ started_at: null, finished_at })).to.equal(null)
    expect(secondsTaken({ finished_at })).to.equal(null)
    expect(secondsTaken({ started_at, finished_at: null })).to.equal(null)
  })
})

describe('states', () => {
  it('shows each state by a word, a shape and a colour', () => {
    const of = (status: 'QUEUED' | 'PROCESSING' | 'FAILED' | 'SUCCESS', more: object = {}) =>
      shownState({ status, error_status: null, ...more })
    expect(of('QUEUED').word).to.equal('Queued')
    expect(of('PROCESSING', { processing_stage: 'UPLOADING' })).to.include({
      word: 'Uploading',
      tone: 'accent',
    })
    expect(of('PROCESSING', { processing_stage: null }).word).to.equal('Starting')
    expect(of('FAILED', { error_status: 'DISK_FULL' })).to.include({ word: 'Failed', tone: 'bad' })
    expect(of('FAILED', { error_status: 'CANCELLED' })).to.include({
      word: 'Cancelled',
      tone: 'muted',
    })
    expect(of('SUCCESS')).to.include({ word: 'Done', tone: 'good' })
  })

  it('states say what a command waits for, in words of their own for each reason', () => {
    const facts = { vcpus: 8, inUse: 20, limit: 24 }
    const words = queueReasons.map((reason) => waitingWords(reason, facts))
    expect(new Set(words).size).to.equal(queueReasons.length)
    expect(waitingWords('ACCOUNT_VCPUS', facts)).to.equal(
      'It needs 8 vCPUs; your account uses 20 of its 24',
    )
    expect(waitingWords('A_LATER_REASON', facts)).to.equal('It waits for its turn')
  })

  it('shortens an id to both of its ends, which tell ids of one time apart', () => {
    expect(shortId('0197a3f1-6c1e-7b52-9a51-2f5f0c9d1e01')).to.equal('0197…9d1e01')
  })
})
