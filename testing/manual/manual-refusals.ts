import type { CommandError } from '../../common/command-line/model/plan.ts'

/** Why an example of the manual is refused, and that this is right. */
type RefusalClass = { name: string; reason: string; words: RegExp; token?: RegExp }

/** In order: the first that fits is the class of a refusal. */
const classes: readonly RefusalClass[] = [
  {
    name: 'device',
    reason: 'a container has no camera, screen or sound card',
    words: /is a device/,
  },
  {
    name: 'device',
    reason: 'the same, where a filter opens it',
    words: /is an absolute path/,
    token: /^\/dev\//,
  },
  {
    name: 'network protocol',
    reason: 'FFmpeg has no network: what is fetched stands in input_files, what is sent is stored',
    words: /is a URL or names a protocol/,
    token: /^['"]?(?:https?|rtmp|rtsp|udp|tcp|tls|amqp|zmq):/,
  },
  {
    name: 'other protocol',
    reason: 'a protocol that opens files by itself would get round the rules for files',
    words: /is a URL or names a protocol/,
    token: /^['"]?(?:data|file|md5)\\?:/,
  },
  {
    name: 'network format',
    reason: 'FFmpeg has no network',
    words: /is for network streams/,
  },
  {
    name: 'network option',
    reason: 'FFmpeg has no network',
    words: /is for network access|sets an option that is not allowed/,
  },
  { name: 'network filter', reason: 'FFmpeg has no network', words: /FFmpeg has no network here/ },
  {
    name: 'hardware option',
    reason: 'the machines have no graphics hardware for it',
    words: /is for hardware devices/,
  },
  {
    name: 'hardware codec',
    reason: 'the machines have no graphics hardware for it',
    words: /Hardware codecs are not available/,
  },
  {
    name: 'code or hardware filter',
    reason: 'it loads code from files or needs graphics hardware',
    words: /loads code or needs hardware/,
  },
  {
    name: 'standard input or output',
    reason: 'no process writes the one or reads the other',
    words: /is standard input or output/,
  },
  {
    name: 'information',
    reason: 'it makes no file, so there would be no answer',
    words: /only prints information/,
  },
  {
    name: 'file option',
    reason: 'it names files beyond the reach of the rules for files',
    words: /reads or writes files outside the command/,
  },
  {
    name: 'value from a file',
    reason: 'the file would be shown in the output or in an error',
    words: /reads its value from a file/,
  },
  {
    name: 'placeholder of the manual',
    reason: 'a reader has to put something in its place',
    words: /Shell operators|expects an output/,
    token: /^(?:<(?:path|normal)|\[\.\.\.\]$)/,
  },
  {
    name: 'placeholder of the manual',
    reason: "FFmpeg has no format for its 'dst.ext' either",
    words: /named 'dst\.ext'/,
  },
  {
    name: 'shell construct',
    reason: 'there is no shell, and a command that lost half of its meaning must not run',
    words: /Shell operators are not supported/,
  },
  {
    name: 'pattern for a font file',
    reason: 'fonts are found by name with the option font; fontfile names a file',
    words: /is not a declared file/,
    token: /^Linux Libertine/,
  },
  {
    name: 'line broken in print',
    reason: 'the manual breaks a value without a backslash, so a shell fails on it too',
    words: /expects an output/,
    token: /^demixing=/,
  },
]

/** The class of a refusal; null for an unknown one, which is a mistake of the grammar. */
export function refusalClass(error: CommandError): string | null {
  const found = classes.find(
    ({ words, token }) =>
      words.test(error.message) && (token === undefined || token.test(error.token ?? '')),
  )
  return found?.name ?? null
}
