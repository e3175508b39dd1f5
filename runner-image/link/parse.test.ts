import { expect } from 'chai'
import { encodeLine } from './line-codec.ts'
import type { FromSupervisor, ToSupervisor } from './messages.ts'
import { parseFromSupervisor } from './parse-from-supervisor.ts'
import { parseToSupervisor } from './parse-to-supervisor.ts'

const facts = {
  duration: 2,
  file_type: 'video',
  file_format: 'mp4',
  width: 128,
  height: 96,
  codec: 'h264',
  timebase: '1/12800',
  pixel_format: 'yuv420p',
  mime_type: 'video/mp4',
  frame_rate: 25,
  bitrate_video_kb: 100.5,
  bitrate_audio_kb: null,
  video_profile_level: null,
  is_varying_frame_rate: false,
}
const limits = { seconds: 60, fileBytes: null, scratchBytes: 1e9, fileCount: 10_000 }
const sandbox = {
  mode: 'required',
  usable: true,
  landlock: true,
  seccomp: true,
  problem: null,
} as const

const log = { path: 'a.txt', level: 32, isMarked: false, inputPaths: { in_1: '../in/in_1' } }

describe('messages of the link', () => {
  const toSupervisor: ToSupervisor[] = [
    { type: 'probe', id: 'p', path: '../in/in_1.mp4', depth: 'duration' },
    { type: 'run', id: 'r', step: 1, argv: ['-i', 'ü "x"\n'], limits, outputs: ['a.mp4'], log },
    { type: 'run', id: 's', step: 0, argv: [], limits, outputs: [], log: null },
    { type: 'kill', id: null, reason: 'cancelled' },
    { type: 'bye' },
  ]
  const fromSupervisor: FromSupervisor[] = [
    { type: 'ready', ffmpegVersion: '7.1.5', sandbox, cpus: 2 },
    { type: 'probed', id: 'p', streams: 2, videoTag: 'avc1', facts },
    { type: 'memory', current: 1, peak: 2, limit: null },
    { type: 'stderr', id: 'r', step: 0, lines: ['a'], dropped: 3 },
    {
      type: 'progress',
      id: 'r',
      step: 0,
      outTimeUs: null,
      frame: 1,
      totalBytes: null,
      speed: 1.5,
      stalled: false,
    },
    {
      type: 'exited',
      id: 'r',
      step: 0,
      code: null,
      signal: 'SIGKILL',
      reason: 'timeout',
      oom: false,
      threadRefused: false,
      progressed: true,
      seconds: 6.1,
      tail: 'a\nb',
    },
  ]
  for (const message of toSupervisor) {
    it(`messages of the link carry ${message.type} to the supervisor`, () => {
      expect(parseToSupervisor(encodeLine(message))).to.deep.equal(message)
    })
  }
  for (const message of fromSupervisor) {
    it(`messages of the link carry ${message.type} from the supervisor`, () => {
      expect(parseFromSupervisor(encodeLine(message))).to.deep.equal(message)
    })
  }

  const wrong: [string, RegExp][] = [
    ['{}', /'type' is not a string/],
    ['[]', /not an object/],
    ['{"type":"run","id":1}', /'id' is not a string/],
    ['{"type":"run","id":"r","step":0,"argv":["a",1]}', /'argv' is not a list of strings/],
    ['{"type":"kill","id":null,"reason":"whim"}', /'reason' is not one of cancelled, /],
    ['{"type":"exec","id":"x"}', /'type' is not one of probe, run, kill, bye/],
  ]
  for (const [line, message] of wrong) {
    it(`messages of the link name the field that is wrong in ${line}`, () => {
      expect(() => parseToSupervisor(line)).to.throw(message)
    })
  }

  it('messages of the link lose what was not agreed', () => {
    const line = '{"type":"memory","current":1,"peak":2,"limit":null,"more":"x"}'
    expect(parseFromSupervisor(line)).to.deep.equal({
      type: 'memory',
      current: 1,
      peak: 2,
      limit: null,
    })
  })
})
