import { expect } from 'chai'
import { failureText, withoutStatistics } from './say-failure.ts'

describe('the log of a command that was stopped', () => {
  it('the message has what FFmpeg says, without the statistics of its encoders', () => {
    const log = [
      'frame=  90 fps=31 time=00:00:03.60 speed=1.2x',
      '[libx264 @ 0x55d0] frame I:1     Avg QP:20.00  size: 10000',
      '[libx264] kb/s:1200.00',
      '[aac @ 0x55d1] Qavg: 120.000',
      'x265 [info]: consecutive B-frames: 50.0%',
      'encoded 90 frames in 3.00s (30.00 fps)',
      '[out#0/mp4 @ 0x55d2] video:10kB audio:1kB',
      'Exiting normally, received signal 15.',
    ]
    expect(withoutStatistics(log.join('\n')).split('\n')).to.deep.equal([log[0], log[6], log[7]])
  })

  it('the remedy of the tool names its own option', () => {
    const record = { error_status: 'COMMAND_TIMEOUT', error_message: 'FFmpeg timed out' } as const
    expect(failureText(record)).to.match(/\nRaise max_command_run_seconds \(--timeout\), /)
  })
})
