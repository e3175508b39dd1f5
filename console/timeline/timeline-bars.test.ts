import { expect } from 'chai'
import fc from 'fast-check'
import { summary, ticksFor, timelineOf } from './timeline-bars.ts'
import type { CommandStatusRecord, CommandTimeline } from '../../common/openapi/openapi-types.ts'

type Stage = CommandTimeline['attempts'][number]['stages'][number]

const at = (seconds: number) => new Date(1_790_000_000_000 + seconds * 1_000).toISOString()
const record = {
  created_at: at(0),
  started_at: at(7),
  finished_at: at(9),
  ffmpeg_command_run_seconds: 1.5,
  attempts: 1,
  original_request: null as CommandStatusRecord['original_request'],
}

describe('timelineOf', () => {
  it('shows the time in the queue apart from the time at work', () => {
    const { bars, total } = timelineOf(record, null, 0)
    expect(total).to.equal(9)
    expect(bars.map(({ name, from, to }) => [name, from, to])).to.deep.equal([
      ['Waiting', 0, 7],
      ['Working', 7, 9],
    ])
    expect(bars[1]?.note).to.equal('FFmpeg 1.5 s of it')
  })

  it('a timeline grows with the time until the end', () => {
    const waiting = { ...record, started_at: null, finished_at: null }
    expect(timelineOf(waiting, null, Date.parse(at(4)))).to.deep.include({ total: 4 })
    expect(timelineOf(waiting, null, Date.parse(at(4))).bars).to.have.length(1)
    const working = { ...record, finished_at: null, attempts: 2 }
    expect(timelineOf(working, null, Date.parse(at(30))).bars[1]).to.include({ from: 7, to: 30 })
    expect(timelineOf(working, null, Date.parse(at(30))).bars[1]?.note).to.contain('attempt 2')
  })

  it('a timeline has no negative bar when the clock of this computer is late', () => {
    const working = { ...record, finished_at: null }
    expect(
      timelineOf(working, null, Date.parse(at(-5))).bars.every(({ from, to }) => from <= to),
    ).to.equal(true)
  })
})

describe('timelineOf with what was recorded', () => {
  const step = { index: 0, started_at: at(3), finished_at: at(7.5), seconds: 4.5 }
  const stage = (
    name: Stage['stage'],
    from: number,
    to: number | null,
    bytes: number | null = null,
  ) => ({
    stage: name,
    started_at: at(from),
    finished_at: to === null ? null : at(to),
    bytes,
    files: null,
  })
  const known = (attempts: CommandTimeline['attempts']): CommandTimeline => ({
    command_id: 'x',
    waits: [],
    attempts,
  })
  const bars = (attempts: CommandTimeline['attempts'], of = record) =>
    timelineOf(of, known(attempts), 0).bars.map(({ name, from, to, note }) => [
      name,
      from,
      to,
      note,
    ])

  it('a timeline has a bar for each stage, with its bytes', () => {
    const stages = [
      stage('STARTING', 1, 2),
      stage('DOWNLOADING', 2, 3, 20 * 1_048_576),
      stage('FFMPEG_PROCESSING', 3, 8),
      stage('UPLOADING', 8, 9, 1_048_576),
    ]
    const attempt = { attempt: 1, started_at: at(1), finished_at: at(9), end: 'SUCCESS' as const }
    expect(bars([{ ...attempt, stages, steps: [step] }])).to.deep.equal([
      ['Waiting', 0, 1, ''],
      ['Starting', 1, 2, ''],
      ['Download', 2, 3, '20.0 MB'],
      ['FFmpeg', 3, 8, 'FFmpeg 1.5 s of it'],
      ['Upload', 8, 9, '1.0 MB'],
    ])
    const steps = [
      { ...step, seconds: 2.5 },
      { index: 1, started_at: at(6), finished_at: at(7), seconds: 1 },
    ]
    expect(bars([{ ...attempt, stages, steps }]).slice(3, 5)).to.deep.equal([
      ['Step 1', 3, 6, 'FFmpeg 2.5 s of it'],
      ['Step 2', 6, 8, 'FFmpeg 1.0 s of it'],
    ])
  })

  it('a timeline has one bar for work that was too short to be reported', () => {
    const attempt = { attempt: 1, started_at: at(1), finished_at: at(9), end: 'SUCCESS' as const }
    const stages = [stage('STARTING', 1, 7), stage('DOWNLOADING', 7, 9)]
    expect(bars([{ ...attempt, stages, steps: [{ ...step, started_at: null }] }])).to.deep.equal([
      ['Waiting', 0, 1, ''],
      ['Starting', 1, 7, ''],
      ['Working', 7, 9, 'FFmpeg 1.5 s of it'],
    ])
  })

  const whole = { attempt: 1, started_at: at(1), finished_at: at(9), end: 'SUCCESS' as const }

  it('a timeline shows how fast bytes went when the stage is long for reports of each second', () => {
    const stages = [stage('STARTING', 1, 2), stage('DOWNLOADING', 2, 22, 40 * 1_048_576)]
    const running = { ...record, finished_at: null }
    const [, , download] = timelineOf(
      running,
      known([
        {
          ...whole,
          end: null,
          finished_at: null,
          stages: [...stages, stage('FFMPEG_PROCESSING', 22, null)],
          steps: [],
        },
      ]),
      Date.parse(at(30)),
    ).bars
    expect(download?.note).to.equal('40.0 MB at 2.0 MB/s')
  })

  it('a timeline moves the start of FFmpeg into the stage before when FFmpeg ran longer than its reports', () => {
    const stages = [
      stage('STARTING', 1, 2),
      stage('DOWNLOADING', 2, 7),
      stage('FFMPEG_PROCESSING', 7, 8),
      stage('UPLOADING', 8, 9),
    ]
    const attempts = (seconds: number) => ({ ...record, ffmpeg_command_run_seconds: seconds })
    expect(bars([{ ...whole, stages, steps: [] }], attempts(2.5)).slice(2, 4)).to.deep.equal([
      ['Download', 2, 5.5, ''],
      ['FFmpeg', 5.5, 8, ''],
    ])
    const [, , , ffmpeg] = bars([{ ...whole, stages, steps: [] }], attempts(60))
    expect(ffmpeg, 'no note is larger than its bar').to.deep.equal(['FFmpeg', 2, 8, ''])
  })

  it('a timeline has no download when the command has no inputs', () => {
    const request = { input_files: {} } as unknown as CommandStatusRecord['original_request']
    const stages = [
      stage('STARTING', 1, 2),
      stage('DOWNLOADING', 2, 3),
      stage('FFMPEG_PROCESSING', 3, 9),
    ]
    const of = { ...record, original_request: request }
    const names = (one: typeof of) =>
      bars([{ ...whole, stages, steps: [] }], one).map(([name, from, to]) => [name, from, to])
    expect(names(of)).to.deep.equal([
      ['Waiting', 0, 1],
      ['Starting', 1, 3],
      ['FFmpeg', 3, 9],
    ])
    const withInput = { input_files: { in_1: 'https://a.example/' } } as unknown as typeof request
    expect(names({ ...record, original_request: withInput })[2]).to.deep.equal(['Download', 2, 3])
  })

  it('a timeline has a bar for each step that ran when steps were too short to be reported', () => {
    const stages = [stage('STARTING', 1, 2), stage('FFMPEG_PROCESSING', 2, 9)]
    const steps = [
      { index: 0, started_at: at(2), finished_at: null, seconds: 3 },
      { index: 1, started_at: null, finished_at: null, seconds: 0.5 },
      { index: 2, started_at: at(6), finished_at: null, seconds: 3.2 },
      { index: 3, started_at: null, finished_at: null, seconds: null },
    ]
    expect(bars([{ ...whole, stages, steps }]).slice(2)).to.deep.equal([
      ['Step 1', 2, 5, ''],
      ['Step 2', 5, 5.8, 'FFmpeg 0.5 s of it'],
      ['Step 3', 5.8, 9, ''],
    ])
    const short = steps.slice(0, 2).map((one) => ({ ...one, started_at: null }))
    const unheard = [stage('STARTING', 1, 2), stage('DOWNLOADING', 2, 9)]
    expect(bars([{ ...whole, stages: unheard, steps: short }]).slice(2)).to.deep.equal([
      ['Working', 2, 5.5, ''],
      ['Step 1', 5.5, 8.5, ''],
      ['Step 2', 8.5, 9, ''],
    ])
  })

  it('a timeline has bars for what the pod of an attempt waited for, in front of the rest of its start', () => {
    const attempt = { attempt: 1, started_at: at(1), finished_at: null, end: null }
    const stages = [stage('STARTING', 1, 7), stage('DOWNLOADING', 7, null)]
    const wait = (reason: 'NODE' | 'IMAGE' | 'CAPACITY', from: number, to: number) =>
      ({ reason, message: null, from: at(from), to: at(to) }) as const
    const timeline = (waits: CommandTimeline['waits']) =>
      timelineOf(
        record,
        { command_id: 'x', waits, attempts: [{ ...attempt, stages, steps: [] }] },
        0,
      )
        .bars.slice(1, -1)
        .map(({ name, from, to }) => [name, from, to])
    const queued = wait('CAPACITY', 0, 1)
    expect(timeline([queued, wait('NODE', 1, 4)])).to.deep.equal([
      ['No node yet', 1, 4],
      ['Starting', 4, 7],
    ])
    expect(timeline([queued, wait('NODE', 1, 4), wait('IMAGE', 4, 7)])).to.deep.equal([
      ['No node yet', 1, 4],
      ['Image', 4, 7],
    ])
  })

  it('a timeline has one bar for each attempt that was lost, and those of the last one', () => {
    const first = {
      attempt: 1,
      started_at: at(1),
      finished_at: at(5),
      end: 'LOST' as const,
      stages: [stage('STARTING', 1, 2), stage('DOWNLOADING', 2, 5)],
      steps: [],
    }
    const second = {
      attempt: 2,
      started_at: at(5),
      finished_at: null,
      end: null,
      stages: [stage('STARTING', 5, 6), stage('DOWNLOADING', 6, null)],
      steps: [],
    }
    const running = { ...record, ffmpeg_command_run_seconds: 1.5 }
    expect(bars([first, second], running)).to.deep.equal([
      ['Waiting', 0, 1, ''],
      ['Attempt 1', 1, 5, 'its runner was lost'],
      ['Starting', 5, 6, 'attempt 2'],
      ['Download', 6, 9, ''],
    ])
  })
})

describe('summary', () => {
  it('says the time from the start apart from the wait, and no time at work when there was none', () => {
    expect(summary(record, 0)).to.equal('Took 2.0 s, after a wait of 7.0 s')
    const running = { ...record, finished_at: null }
    expect(summary(running, Date.parse(at(12)))).to.equal(
      'Runs for 5.0 s now, after a wait of 7.0 s',
    )
    expect(summary({ ...record, started_at: null }, 0)).to.equal('Waited 9.0 s')
    expect(summary({ ...running, started_at: null }, Date.parse(at(3)))).to.equal(
      'Waits for 3.0 s now',
    )
  })
})

describe('ticksFor', () => {
  it('an axis has two to seven round figures', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.2, max: 100_000, noNaN: true }), (total) => {
        const ticks = ticksFor(total)
        expect(ticks[0]).to.equal(0)
        expect(ticks.length).to.be.within(2, 7)
        expect(ticks.at(-1)).to.be.at.most(total)
      }),
    )
    expect(ticksFor(9)).to.deep.equal([0, 2, 4, 6, 8])
    expect(ticksFor(0)).to.deep.equal([0])
  })
})
