import { expect } from 'chai'
import { stepOf } from '../../testing/support/plan-one.ts'
import { missingReason, withoutFramesReason } from './missing-reason.ts'

const seconds = new Map([
  ['in_1', 10],
  ['in_2', null],
])
const empty =
  '[out#0/mp4] Output file is empty, nothing was encoded(check -ss / -t / -frames parameters if used)'

describe('why an output is missing although FFmpeg ended well', () => {
  const cases: [string, string, string | null][] = [
    ['-ss 1:00 -i {{in_1}} -c copy {{out_1}}', '', '-ss 1:00 lies past the end of in_1 (10 s)'],
    ['-i {{in_1}} -ss 10 {{out_1}}', empty, '-ss 10 lies past the end of the input (10 s)'],
    [
      '-i {{in_1}} -vf select=0 {{out_1}}',
      empty,
      'nothing was encoded; check -ss, -t, -to and -frames, and what the filters let through',
    ],
    ['-ss 5 -i {{in_1}} {{out_1}}', '', null],
    ['-i {{in_1}} {{out_1}}', '[swscaler] deprecated pixel format used', null],
    ['-ss 99 -i {{in_2}} {{out_1}}', '', null],
    ['-stream_loop 9 -ss 12 -i {{in_1}} {{out_1}}', '', null],
    ['-i {{in_1}} -i {{in_2}} -ss 12 {{out_1}}', '', null],
    [
      '-i {{in_1}} {{out_1}}',
      '[tee] Slave muxer failed\n[out#0] Task finished with error code: -2 (x)',
      '[tee] Slave muxer failed',
    ],
  ]
  for (const [command, log, reason] of cases) {
    it(`${command} → ${String(reason)}`, () => {
      expect(missingReason(stepOf(command), log, seconds)).to.equal(reason)
    })
  }
})

describe('why a run without frames has failed', () => {
  const none = '[vf#0:0 @ 0x1] No filtered frames for output stream, trying to initialize anyway.'
  const jpeg = '[mjpeg @ 0x1] Non full-range YUV is non-standard, set strict_std_compliance to x'
  const past = '-ss 99 lies past the end of in_1 (10 s)'
  const check =
    'nothing was encoded; check -ss, -t, -to and -frames, and what the filters let through'

  for (const [command, lines, reason] of [
    ['-ss 99 -i {{in_1}} {{out_1}}', [none, jpeg], past],
    ['-ss 99 -i {{in_1}} {{out_1}}', [none, '[swf @ 0x1] Invalid (too large) frame rate'], past],
    ['-i {{in_1}} -vf select=0 {{out_1}}', [none, jpeg], check],
    ['-i {{in_1}} {{out_1}}', [none, '[h264 @ 0x1] Invalid NAL unit size', jpeg], null],
    ['-ss 99 -i {{in_1}} {{out_1}}', [jpeg], null],
    ['-ss 99 -i {{in_1}} {{out_1}}', ["[vost#0:0 @ 0x1] Unknown encoder 'x'"], null],
  ] as const) {
    it(`${command} with ${String(lines.length)} lines → ${String(reason)}`, () => {
      const found = withoutFramesReason(stepOf(command), lines.join('\n'), seconds)
      expect(found).to.equal(reason)
    })
  }
})
