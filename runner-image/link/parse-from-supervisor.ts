import type { MediaFacts } from '../../common/gateway/messages.ts'
import { fieldsOf } from './fields.ts'
import type { Fields } from './fields.ts'
import { endReasons, sandboxModes } from './messages.ts'
import type { Exited, FromSupervisor, SandboxReport } from './messages.ts'

/** @throws if the line is not a message of the supervisor, naming the field */
export function parseFromSupervisor(line: string): FromSupervisor {
  const fields = fieldsOf(JSON.parse(line), 'message')
  const type = fields.oneOf('type', ['ready', 'probed', 'progress', 'memory', 'stderr', 'exited'])
  switch (type) {
    case 'ready':
      return {
        type,
        ffmpegVersion: fields.text('ffmpegVersion'),
        sandbox: sandboxReport(fields.object('sandbox')),
        cpus: fields.number('cpus'),
      }
    case 'probed':
      return {
        type,
        id: fields.text('id'),
        streams: fields.numberOrNull('streams'),
        videoTag: fields.textOrNull('videoTag'),
        facts: mediaFacts(fields.object('facts')),
      }
    case 'progress':
      return {
        type,
        id: fields.text('id'),
        step: fields.number('step'),
        outTimeUs: fields.numberOrNull('outTimeUs'),
        frame: fields.numberOrNull('frame'),
        totalBytes: fields.numberOrNull('totalBytes'),
        speed: fields.numberOrNull('speed'),
        stalled: fields.flag('stalled'),
      }
    case 'memory':
      return {
        type,
        current: fields.number('current'),
        peak: fields.number('peak'),
        limit: fields.numberOrNull('limit'),
      }
    case 'stderr':
      return {
        type,
        id: fields.text('id'),
        step: fields.number('step'),
        lines: fields.texts('lines'),
        dropped: fields.number('dropped'),
      }
    case 'exited':
      return exited(fields)
  }
}

function sandboxReport(fields: Fields): SandboxReport {
  return {
    mode: fields.oneOf('mode', sandboxModes),
    usable: fields.flag('usable'),
    landlock: fields.flag('landlock'),
    seccomp: fields.flag('seccomp'),
    problem: fields.textOrNull('problem'),
  }
}

function mediaFacts(fields: Fields): MediaFacts {
  return {
    duration: fields.numberOrNull('duration'),
    file_type: fields.textOrNull('file_type'),
    file_format: fields.textOrNull('file_format'),
    width: fields.numberOrNull('width'),
    height: fields.numberOrNull('height'),
    codec: fields.textOrNull('codec'),
    timebase: fields.textOrNull('timebase'),
    pixel_format: fields.textOrNull('pixel_format'),
    mime_type: fields.textOrNull('mime_type'),
    frame_rate: fields.numberOrNull('frame_rate'),
    bitrate_video_kb: fields.numberOrNull('bitrate_video_kb'),
    bitrate_audio_kb: fields.numberOrNull('bitrate_audio_kb'),
    video_profile_level: fields.textOrNull('video_profile_level'),
    is_varying_frame_rate: fields.flagOrNull('is_varying_frame_rate'),
  }
}

function exited(fields: Fields): Exited {
  return {
    type: 'exited',
    id: fields.text('id'),
    step: fields.number('step'),
    code: fields.numberOrNull('code'),
    signal: fields.textOrNull('signal'),
    reason: fields.textOrNull('reason') === null ? null : fields.oneOf('reason', endReasons),
    oom: fields.flag('oom'),
    threadRefused: fields.flag('threadRefused'),
    progressed: fields.flag('progressed'),
    seconds: fields.number('seconds'),
    tail: fields.text('tail'),
  }
}
