import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import path from 'node:path'
import { runCli } from './run-cli.ts'
import { createProgressLine } from './terminal/progress-line.ts'
import { UsageError } from './terminal/parse.ts'
import { createClient } from './client/client.ts'
import { addressProblem } from './client/send.ts'
import { systemClock } from '../common/runtime/system-effects.ts'
import packageFile from '../package.json' with { type: 'json' }

/** `cloud-ffmpeg COMMAND …` */
const { CLOUD_FFMPEG_URL: url, CLOUD_FFMPEG_API_KEY: apiKey, XDG_STATE_HOME } = process.env
const stateFolder = path.join(
  XDG_STATE_HOME || path.join(homedir(), '.local/state'),
  'cloud-ffmpeg',
)
const interrupted = new AbortController()
process.on('SIGINT', () => {
  // The second Ctrl-C exits immediately; a command in the cluster continues.
  if (interrupted.signal.aborted) process.exit(130)
  interrupted.abort(new Error('interrupted'))
})
// `cloud-ffmpeg logs … | head` closes the pipe, which is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1)
})

process.exitCode = await runCli(process.argv.slice(2), packageFile.version, {
  client() {
    if (!url) throw new UsageError('CLOUD_FFMPEG_URL is not set: the address of the service')
    if (!apiKey) throw new UsageError('CLOUD_FFMPEG_API_KEY is not set: a key of your account')
    const problem = addressProblem(url)
    if (problem !== null) throw new UsageError(`CLOUD_FFMPEG_URL: ${problem}`)
    return createClient({ url, apiKey })
  },
  print: (line) => process.stdout.write(`${line}\n`),
  write: (text) => process.stdout.write(text),
  progress: createProgressLine(process.stderr),
  signal: interrupted.signal,
  clock: systemClock,
  journalFor(file, isPrivate) {
    const facts = JSON.stringify([url, apiKey, file, isPrivate])
    const name = createHash('sha256').update(facts).digest('hex').slice(0, 32)
    return path.join(stateFolder, 'uploads', `${name}.jsonl`)
  },
})
