#!/usr/bin/env node
import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import path from 'node:path'
import { runCli } from './run-cli.ts'
import { createAsker } from './terminal/ask.ts'
import { ignoredNotes } from './terminal/ignored-notes.ts'
import { retryNotes } from './terminal/retry-notes.ts'
import { editText, openPage } from './terminal/programs.ts'
import { createProgressLine } from './terminal/progress-line.ts'
import { screenOf } from './terminal/screen.ts'
import { createClient } from './client/client.ts'
import { profileFile } from './terminal/profile-file.ts'
import { chooseConnection } from './terminal/profiles.ts'
import { systemClock } from '../common/runtime/system-effects.ts'
import packageFile from '../package.json' with { type: 'json' }

/** `cloud-ffmpeg COMMAND …` */
const { CLOUD_FFMPEG_URL: url, CLOUD_FFMPEG_API_KEY: apiKey } = process.env
const { XDG_STATE_HOME, XDG_CONFIG_HOME, VISUAL, EDITOR } = process.env
const stateFolder = folderIn(XDG_STATE_HOME, '.local/state')
const profiles = profileFile(path.join(folderIn(XDG_CONFIG_HOME, '.config'), 'profiles.json'))
// A broken file stops the calls that need it, and not the others.
const kept = await profiles.read().catch((error: unknown) => error)
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

const asker = createAsker(process.stdin, process.stderr)
const progress = createProgressLine(process.stderr)
const onIgnoredParameters = ignoredNotes((line) => progress.say(line))
const onRetry = retryNotes((line) => progress.say(line))
process.exitCode = await runCli(process.argv.slice(2), packageFile.version, {
  connection(profile) {
    if (kept instanceof Error) throw kept
    return chooseConnection(
      profile,
      { url, apiKey },
      kept as Awaited<ReturnType<typeof profiles.read>>,
    )
  },
  clientFor: ({ url: to, apiKey: by }) =>
    createClient({ url: to, apiKey: by, onIgnoredParameters, onRetry }),
  fetch,
  profiles,
  ask: (question, options) => asker.ask(question, options),
  print: (line) => process.stdout.write(`${line}\n`),
  write: (text) => process.stdout.write(text),
  progress,
  signal: interrupted.signal,
  clock: systemClock,
  openPage: (page) => openPage(page, process.platform),
  edit: (text, name) => editText(text, name, VISUAL || EDITOR || 'vi'),
  redraw: process.stdout.isTTY
    ? (lines) => process.stdout.write(screenOf(lines, process.stdout))
    : null,
  journalFor(connection, file, isPrivate) {
    const facts = JSON.stringify([connection.url, connection.apiKey, file, isPrivate])
    const name = createHash('sha256').update(facts).digest('hex').slice(0, 32)
    return path.join(stateFolder, 'uploads', `${name}.jsonl`)
  },
})
asker.close()

function folderIn(xdg: string | undefined, ofHome: string): string {
  return path.join(xdg || path.join(homedir(), ofHome), 'cloud-ffmpeg')
}
