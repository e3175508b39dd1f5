import path from 'node:path'
import { createProgressLine } from './terminal/progress-line.ts'
import { runCli } from './run-cli.ts'
import { createClient } from './client/client.ts'
import { profileFile } from './terminal/profile-file.ts'
import { systemClock, systemEffects } from '../common/runtime/system-effects.ts'
import type { Client } from './client/client.ts'

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

interface World {
  readonly url: string
  readonly key: string
  /** Folder of the upload journals. */
  readonly folder: string
  readonly signal?: AbortSignal
  readonly fetch?: typeof fetch
  /** Lines that the user types. */
  readonly answers?: readonly string[]
  readonly openPage?: (url: string) => boolean
  readonly edit?: (text: string) => string
  /** Gets what is written to standard error, when it is. */
  readonly onError?: (text: string) => void
  readonly redraw?: (lines: readonly string[]) => void
  /** Takes the place of the cluster once a command is submitted. */
  readonly onSubmitted?: (commandId: string) => Promise<void>
}

// Backoff and polls take a twentieth of their time; the minute after which a request times out stays.
const effects = {
  ...systemEffects(),
  clock: {
    ...systemClock,
    schedule: (delayMs: number, callback: () => void) =>
      systemClock.schedule(delayMs >= 60_000 ? delayMs : delayMs / 20, callback),
  },
}

/** One command line, as `main.ts` would run it. */
export async function cli(args: string[], world: World): Promise<Ran> {
  const client = createClient({ url: world.url, apiKey: world.key, effects })
  const watched: Client = {
    ...client,
    async submit(...given) {
      const accepted = await client.submit(...given)
      await world.onSubmitted?.(accepted.command_id)
      return accepted
    },
  }
  const answers = [...(world.answers ?? [])]
  let out = ''
  let err = ''
  const code = await runCli(args, '1.2.3', {
    connection: () => ({
      url: world.url,
      apiKey: world.key,
      urlFrom: 'CLOUD_FFMPEG_URL',
      keyFrom: 'CLOUD_FFMPEG_API_KEY',
    }),
    clientFor: ({ apiKey }) =>
      apiKey === world.key ? watched : createClient({ url: world.url, apiKey, effects }),
    fetch: world.fetch ?? fetch,
    profiles: profileFile(path.join(world.folder, 'profiles.json')),
    ask: (question) => {
      err += question
      return Promise.resolve(answers.shift() ?? '')
    },
    print: (line) => (out += `${line}\n`),
    write: (text) => (out += text),
    progress: createProgressLine({
      write(text) {
        err += text
        world.onError?.(text)
      },
    }),
    signal: world.signal ?? new AbortController().signal,
    clock: effects.clock,
    openPage: (page) => Promise.resolve(world.openPage?.(page) ?? false),
    edit: (text) => Promise.resolve(world.edit?.(text) ?? text),
    redraw: world.redraw ?? null,
    journalFor: (_connection, file) => path.join(world.folder, 'state', path.basename(file)),
  })
  return { code, out, err }
}
