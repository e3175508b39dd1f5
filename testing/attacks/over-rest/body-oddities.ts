const generated = '-f lavfi -i testsrc2=d=1 -frames:v 1 {{out_1}}'
const whole = { input_files: {}, output_files: { out_1: 'a.png' }, ffmpeg_command: generated }
const named = (name: unknown): string => JSON.stringify({ ...whole, output_files: { out_1: name } })
const fetched = (url: string): string =>
  JSON.stringify({ ...whole, input_files: { in_1: url }, ffmpeg_command: '-i {{in_1}} {{out_1}}' })

/** Bodies that are not submissions: each is answered with 4xx, and none of them ends a process. */
export const bodyOddities: readonly (readonly [name: string, body: string])[] = [
  ['nothing', ''],
  ['null', 'null'],
  ['a list', '[]'],
  ['a text', '"-i x y"'],
  ['deep nesting', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
  ['deep nesting in a field', `{"metadata":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`],
  ['a prototype', `{"__proto__":{"admin":true},"ffmpeg_command":1}`],
  [
    'a prototype among the outputs',
    `{"input_files":{},"output_files":{"__proto__":"a.png"},"ffmpeg_command":"x"}`,
  ],
  ['a number for a command', JSON.stringify({ ...whole, ffmpeg_command: 7 })],
  ['a list for a command', JSON.stringify({ ...whole, ffmpeg_command: [generated] })],
  [
    'too long a command',
    JSON.stringify({ ...whole, ffmpeg_command: `${generated} ${'-y '.repeat(40_000)}` }),
  ],
  ['a megabyte of a field', JSON.stringify({ ...whole, metadata: { a: 'x'.repeat(2_000_000) } })],
  [
    'half a surrogate',
    `{"input_files":{},"output_files":{"out_1":"a.png"},"ffmpeg_command":"-i \\ud800 {{out_1}}"}`,
  ],
  ['no UTF-8 at all', '{"ffmpeg_command":"\\u0000"}'],
  ['negative processors', JSON.stringify({ ...whole, vcpu_count: -1 })],
  [
    'processors beyond number',
    '{"input_files":{},"output_files":{"out_1":"a.png"},"ffmpeg_command":"x","vcpu_count":1e999}',
  ],
  ['an output above', named('../../a.png')],
  ['an output at the root', named('/etc/cron.d/a')],
  ['an output with a header', named('a.png\r\nX-Injected: yes')],
  ['an output with a turn', named('a\u202egnp.exe')],
  ['an output of full-width points', named('．．／a.png')],
  ['an output that is an option', named('-y.png')],
  ['an output that is a protocol', named('http:a.png')],
  ['an output of nothing', named('')],
  ['an output that is a number', named(7)],
  ['a file of the machine as input', fetched('file:///etc/passwd')],
  ['a name and password in a URL', fetched('http://a:b@media.example/a.mp4')],
  ['a URL with a line end', fetched('http://media.example/a.mp4\r\nHost: x')],
  ['another scheme', fetched('gopher://127.0.0.1:6379/_FLUSHALL')],
  [
    'a zip beside files',
    JSON.stringify({
      ...whole,
      input_files: { in_1: 'http://media.example/a.mp4' },
      input_compressed_folder: 'http://media.example/a.zip',
    }),
  ],
]

/** URLs that the service takes, and whose hosts it must not ask for anything. */
export function forbiddenUrls(own: readonly string[]): string[] {
  return [
    ...own,
    'http://169.254.169.254/latest/meta-data/a.mp4',
    'http://[::ffff:169.254.169.254]/a.mp4',
    'http://127.0.0.1:8080/a.mp4',
    'http://127.1/a.mp4',
    'http://2130706433/a.mp4',
    'http://0x7f.0.0.1/a.mp4',
    'http://[::1]/a.mp4',
    'http://0.0.0.0/a.mp4',
    'http://localhost/a.mp4',
    'https://kubernetes.default.svc/api/v1/secrets/a.mp4',
    'http://cloud-ffmpeg-operator.cloud-ffmpeg.svc:8443/a.mp4',
    'http://metadata.google.internal/a.mp4',
    'http://100.100.100.200/a.mp4',
  ]
}
