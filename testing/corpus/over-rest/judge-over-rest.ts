import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { clusterSettings } from '../../../e2e/cluster/host/settings.ts'
import { runnerRoot } from '../../../e2e/installation/build-runner.ts'
import { startOrigin } from '../../../e2e/steps/origin.ts'
import { writeZip } from '../../../e2e/steps/zip.ts'
import { judgeInTurns } from '../in-turns.ts'
import { judgeCommand, noCounts } from '../judge-command.ts'
import { makeSamples } from '../samples.ts'
import { restDriver } from './rest-driver.ts'
import type { Client } from '../../../cli/client/client.ts'
import type { Verdict } from '../in-turns.ts'
import type { CorpusCommand } from '../read-corpus.ts'

export interface Judgement {
  readonly verdicts: readonly Verdict[]
  /** Removes all files and ends the servers of this judgement. */
  readonly close: () => Promise<void>
}

export interface Reached {
  readonly client: Client
  /** Address of this machine that pods reach. */
  readonly address: string
  readonly say: (line: string) => void
}

/** A command waits for its pod most of the time, so several at once keep a machine busy. */
const inFlight = 4

/** Begins at once with all commands, in a service that runs already. */
export async function judgeOverRest(
  commands: readonly CorpusCommand[],
  { client, address, say }: Reached,
): Promise<Judgement> {
  const folder = await mkdtemp(path.join(tmpdir(), 'over-rest-'))
  const root = await runnerRoot({ settings: clusterSettings(process.env), say })
  const samples = await prepareSamples(root, path.join(folder, 'samples'))
  const origin = await startOrigin({ address, folder: samples })
  const counts = noCounts()
  const drivers = Array.from({ length: inFlight }, (_, index) => {
    const own = path.join(folder, String(index))
    const parts = { root, samples, plainJob: path.join(own, 'plain'), counts }
    return restDriver(parts, { client, origin, fetched: path.join(own, 'service') })
  })
  return {
    verdicts: judgeInTurns(commands, drivers, judgeCommand),
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

/** The samples of the corpus below `folder`, and the archive among them as `samples.zip`. */
async function prepareSamples(root: string, folder: string): Promise<string> {
  await mkdir(path.join(folder, 'in'), { recursive: true })
  const samples = await makeSamples(root, folder)
  const archived = path.join(samples, 'zip')
  const names = await readdir(archived)
  await writeZip(
    path.join(samples, 'samples.zip'),
    Object.fromEntries(names.map((name) => [name, path.join(archived, name)])),
  )
  return samples
}
