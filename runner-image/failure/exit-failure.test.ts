import { expect } from 'chai'
import type { Exited } from '../link/messages.ts'
import { exitFailure } from './exit-failure.ts'

const context = {
  capSeconds: 60,
  fileBytes: 500 * 1024 ** 2,
  scratchBytes: 40 * 1024 ** 3,
  fileCount: 10_000,
  memoryBytes: 8192 * 1024 ** 2,
  inputs: ['in_1'],
}

function exit(facts: Partial<Exited>): Exited {
  return {
    type: 'exited',
    id: '1',
    step: 0,
    code: null,
    signal: null,
    reason: null,
    oom: false,
    threadRefused: false,
    progressed: false,
    seconds: 1,
    tail: '',
    ...facts,
  }
}

const tooManyThreads =
  'FFmpeg needed more threads than the node allows its pod; fewer inputs, outputs and filters in one command, or lower -threads, take fewer'

describe('what the end of FFmpeg means', () => {
  it('returns no failure for exit code 0', () => {
    expect(exitFailure(exit({ code: 0 }), context)).to.deep.equal(null)
  })

  it('writes a cap of one second in the singular', () => {
    const ended = exitFailure(exit({ reason: 'timeout' }), { ...context, capSeconds: 1 })
    expect(ended?.sentence).to.contain('stopped after 1 second (max_command_run_seconds)')
  })

  const table: [string, Partial<Exited>, string, string][] = [
    [
      'our cap, for any exit code',
      { code: 255, reason: 'timeout' },
      'COMMAND_TIMEOUT',
      'FFmpeg timed out: stopped after 60 seconds (max_command_run_seconds)',
    ],
    ['a cancel', { signal: 'SIGKILL', reason: 'cancelled' }, 'CANCELLED', 'Cancelled by request'],
    [
      'too many files',
      { signal: 'SIGKILL', reason: 'file_count' },
      'OUTPUT_TOO_LARGE',
      'FFmpeg wrote more than 10000 files; longer segments or a lower frame rate make fewer',
    ],
    [
      'a working disk used up',
      { signal: 'SIGKILL', reason: 'scratch_bytes' },
      'DISK_FULL',
      'The working disk of 40 GB is full; inputs, outputs and all in between share it',
    ],
    [
      'a SIGKILL that we did not send',
      { signal: 'SIGKILL' },
      'OUT_OF_MEMORY',
      'FFmpeg needed more than 8192 MB of memory; more vCPUs come with more memory',
    ],
    [
      'an out-of-memory kill of another process of the container',
      { code: 255, oom: true },
      'OUT_OF_MEMORY',
      'FFmpeg needed more than 8192 MB of memory; more vCPUs come with more memory',
    ],
    [
      'SIGXFSZ',
      { signal: 'SIGXFSZ' },
      'OUTPUT_TOO_LARGE',
      'An output exceeded 500 MB, the largest file that the plan allows; lower its bitrate or split it',
    ],
    ['a crash', { signal: 'SIGSEGV' }, 'FFMPEG_CRASHED', 'FFmpeg crashed (SIGSEGV)'],
    [
      'a denied file',
      { code: 243 },
      'FORBIDDEN_OPERATION',
      'The command tried to use something outside its working directory',
    ],
    [
      'a denied socket',
      { code: 251, tail: 'tcp: Operation not permitted' },
      'FORBIDDEN_OPERATION',
      'The command tried to use something outside its working directory',
    ],
    [
      'an input that ends in its header, by another code',
      {
        code: 251,
        tail: 'Error opening input file ../in/in_1.mkv.\nError opening input files: Input/output error',
      },
      'INVALID_INPUT_FILE',
      'in_1 is not a media file that FFmpeg can read',
    ],
    [
      'a disk without room for one more file',
      { code: 251, tail: '[image2] Could not open file : a.png\nx: No space left on device' },
      'DISK_FULL',
      'The working disk of 40 GB is full; inputs, outputs and all in between share it',
    ],
    ['an I/O error', { code: 251 }, 'FFMPEG_FAILED', 'FFmpeg ended with exit code 251'],
    [
      'invalid data',
      { code: 183, tail: 'Error opening input file ../in/in_2.mp4.' },
      'INVALID_INPUT_FILE',
      'in_2 is not a media file that FFmpeg can read',
    ],
    [
      'settings that libx265 does not take, which it calls invalid data',
      { code: 183, tail: '[libx265 @ 0x1] Cannot open libx265 encoder.' },
      'FFMPEG_FAILED',
      'FFmpeg ended with exit code 183',
    ],
    ['an unknown option', { code: 8 }, 'INVALID_COMMAND', 'FFmpeg refused the command'],
    [
      'an invalid argument before the first frame',
      { code: 234 },
      'INVALID_COMMAND',
      'FFmpeg refused the command',
    ],
    [
      'an invalid argument in mid-run',
      { code: 234, progressed: true },
      'FFMPEG_FAILED',
      'FFmpeg ended with exit code 234',
    ],
    [
      'a full disk',
      { code: 228 },
      'DISK_FULL',
      'The working disk of 40 GB is full; inputs, outputs and all in between share it',
    ],
    [
      'a file over the limit, reported by FFmpeg',
      { code: 229 },
      'OUTPUT_TOO_LARGE',
      'An output exceeded 500 MB, the largest file that the plan allows; lower its bitrate or split it',
    ],
    [
      'SIGXFSZ as a shell reports it',
      { code: 153 },
      'OUTPUT_TOO_LARGE',
      'An output exceeded 500 MB, the largest file that the plan allows; lower its bitrate or split it',
    ],
    [
      'no memory',
      { code: 244 },
      'OUT_OF_MEMORY',
      'FFmpeg needed more than 8192 MB of memory; more vCPUs come with more memory',
    ],
    [
      'a disk that others have filled',
      { signal: 'SIGKILL', reason: 'free_space' },
      'DISK_FULL',
      'The working disk of 40 GB is full; inputs, outputs and all in between share it',
    ],
    [
      'SIGKILL as a shell reports it',
      { code: 137 },
      'OUT_OF_MEMORY',
      'FFmpeg needed more than 8192 MB of memory; more vCPUs come with more memory',
    ],
    ['an abort', { code: 134 }, 'FFMPEG_CRASHED', 'FFmpeg crashed (SIGABRT)'],
    ['an abort by signal', { signal: 'SIGABRT' }, 'FFMPEG_CRASHED', 'FFmpeg crashed (SIGABRT)'],
    ['a fault as a shell reports it', { code: 139 }, 'FFMPEG_CRASHED', 'FFmpeg crashed (SIGSEGV)'],
    [
      'an unlawful permission',
      { code: 255, tail: 'x: Operation not permitted' },
      'FORBIDDEN_OPERATION',
      'The command tried to use something outside its working directory',
    ],
    ['TERM of another process', { code: 255 }, 'FFMPEG_FAILED', 'FFmpeg ended with exit code 255'],
    ['no output', { code: 1 }, 'INVALID_COMMAND', 'FFmpeg refused the command'],
    ['a file that is not there', { code: 254 }, 'INVALID_COMMAND', 'FFmpeg refused the command'],
    [
      'too many decoding errors',
      { code: 69, progressed: true },
      'FFMPEG_FAILED',
      'FFmpeg ended with exit code 69',
    ],
    ['a value out of range', { code: 222 }, 'INVALID_COMMAND', 'FFmpeg refused the command'],
    [
      'what FFmpeg has not implemented',
      { code: 218 },
      'INVALID_COMMAND',
      'FFmpeg refused the command',
    ],
    [
      'an input that ends in its header',
      {
        code: 187,
        tail: 'Error opening input file ../in/in_2.mkv.\nError opening input files: End of file',
      },
      'INVALID_INPUT_FILE',
      'in_2 is not a media file that FFmpeg can read',
    ],
    [
      'an input that an earlier step made',
      { code: 183, tail: 'Error opening input file a.mp4.' },
      'INVALID_INPUT_FILE',
      'An input is not a media file that FFmpeg can read',
    ],
    [
      'the limit of threads, for any exit code',
      { code: 183, threadRefused: true, tail: 'Error opening output file a.webm.' },
      'FFMPEG_FAILED',
      tooManyThreads,
    ],
    [
      'the limit of threads, taken for that of memory',
      { code: 244, threadRefused: true },
      'FFMPEG_FAILED',
      tooManyThreads,
    ],
    [
      'the limit of threads by an abort',
      { signal: 'SIGABRT', threadRefused: true },
      'FFMPEG_FAILED',
      tooManyThreads,
    ],
    [
      'the limit of threads by what FFmpeg says',
      { code: 245, tail: '[af#0:0] pthread_create() failed: Resource temporarily unavailable' },
      'FFMPEG_FAILED',
      tooManyThreads,
    ],
    [
      'that not even FFmpeg’s process had room',
      { reason: 'not_started', threadRefused: true },
      'FFMPEG_FAILED',
      tooManyThreads,
    ],
    [
      'an encoder that waited for a thread until its time was up',
      { signal: 'SIGKILL', reason: 'timeout', threadRefused: true },
      'COMMAND_TIMEOUT',
      'FFmpeg timed out: stopped after 60 seconds (max_command_run_seconds). Before that it needed more threads than the node allows its pod; fewer inputs, outputs and filters in one command, or lower -threads, take fewer',
    ],
    [
      'a denied file beside a refused thread',
      { code: 243, threadRefused: true },
      'FORBIDDEN_OPERATION',
      'The command tried to use something outside its working directory',
    ],
    [
      'memory beside a refused thread',
      { signal: 'SIGKILL', oom: true, threadRefused: true },
      'OUT_OF_MEMORY',
      'FFmpeg needed more than 8192 MB of memory; more vCPUs come with more memory',
    ],
    ['an error of a library', { code: 187 }, 'FFMPEG_FAILED', 'FFmpeg ended with exit code 187'],
  ]
  for (const [name, facts, status, sentence] of table) {
    it(`explains the end of FFmpeg with ${name}`, () => {
      const failure = exitFailure(exit(facts), context)
      expect([failure?.status, failure?.sentence]).to.deep.equal([status, sentence])
    })
  }
})
