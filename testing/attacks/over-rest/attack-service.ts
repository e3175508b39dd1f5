import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { clusterSettings } from '../../../local-cluster/host/settings.ts'
import { runnerRoot } from '../../../images/build-runner.ts'
import { judgeInTurns } from '../../corpus/in-turns.ts'
import { startAttackOrigin } from './attack-origin.ts'
import { makeFilm } from './attack-submission.ts'
import { bodyOddities, forbiddenUrls } from './body-oddities.ts'
import { commandAttacks, refusedCommands } from './command-attacks.ts'
import { contentAttacks } from './content-attacks.ts'
import { hostileArchives } from './hostile-archives.ts'
import { judgeAttack, judgeSubmission } from './judge-attack.ts'
import type { Client, Submission } from '../../../cli/client/client.ts'
import type { Verdict } from '../../corpus/in-turns.ts'

export interface Target {
  readonly client: Client
  /** Address of this machine that pods reach. */
  readonly address: string
  readonly say: (line: string) => void
  readonly url: string
  readonly apiKey: string
  /** Addresses of the service itself, which commands must not reach. */
  readonly own: readonly string[]
}

interface Judgement {
  readonly verdicts: readonly Verdict[]
  /** Ends the servers of this judgement. */
  readonly close: () => Promise<void>
}

interface AttackCase {
  readonly name: string
  /** Answers what the attack achieved, in words. */
  readonly judge: () => Promise<string[]>
}

const inFlight = 6

/** Begins at once with all attacks whose name is wanted; a verdict holds what its attack achieved. */
export async function attackService(
  target: Target,
  isWanted: (name: string) => boolean,
): Promise<Judgement> {
  const folder = await mkdtemp(path.join(tmpdir(), 'attacks-'))
  const root = await runnerRoot({ settings: clusterSettings(process.env), say: target.say })
  const film = await makeFilm(root, folder)
  await rm(folder, { recursive: true, force: true })
  const origin = await startAttackOrigin(target.address)
  const attacked = { client: target.client, origin, film }
  const addresses = { listener: origin.address, own: target.own }
  const mustFail = (name: string, submission: Submission): AttackCase => ({
    name,
    judge: () => judgeSubmission({ ...submission, vcpu_count: 1 }, attacked, 'has to fail'),
  })
  const lists = {
    refused: refusedCommands(addresses),
    command: commandAttacks(addresses),
    content: contentAttacks(addresses),
  }
  const cases: AttackCase[] = [
    ...Object.entries(lists).flatMap(([list, attacks]) =>
      attacks.map((attack) => ({
        name: `${list}: ${attack.name}`,
        judge: () => judgeAttack(attack, attacked),
      })),
    ),
    ...bodyOddities.map(([name, body]) => ({
      name: `body: ${name}`,
      judge: () => judgeBody(body, target),
    })),
    ...forbiddenUrls(target.own).map((url) =>
      mustFail(`address: ${url}`, {
        input_files: { in_1: url },
        output_files: { out_1: 'a.mkv' },
        ffmpeg_command: '-i {{in_1}} -c copy {{out_1}}',
      }),
    ),
    ...(await hostileArchives()).entries().map(([name, archive]) =>
      mustFail(`archive: ${name}`, {
        input_compressed_folder: origin.publish('hostile.zip', archive),
        output_files: { out_1: 'a.mkv' },
        ffmpeg_command: '-i in.mp4 -c copy {{out_1}}',
      }),
    ),
  ]
  const wanted = cases.filter(({ name }) => isWanted(name))
  const workers = Array.from({ length: inFlight })
  return {
    verdicts: judgeInTurns(wanted, workers, ({ judge }) => judge()),
    close: () => origin.close(),
  }
}

async function judgeBody(body: string, { url, apiKey }: Target): Promise<string[]> {
  const answer = await fetch(`${url}/v1/run-ffmpeg-command`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body,
  })
  const text = await answer.text()
  const { status } = answer
  return [
    ...(status >= 400 && status < 500 ? [] : [`is answered with ${String(status)}: ${text}`]),
    ...(/ at .*\.ts:\d+|node_modules/.test(text) ? [`the answer shows source code: ${text}`] : []),
    ...(answer.headers.has('x-injected') ? ['a header was injected'] : []),
  ]
}
