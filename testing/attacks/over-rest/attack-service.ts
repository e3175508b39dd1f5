import { allAttacks } from './attack-over-rest.ts'
import { bodyOddities, forbiddenUrls } from './body-oddities.ts'
import { hostileArchives } from './hostile-archives.ts'
import { judgeAttack, judgeSubmission } from './judge-attack.ts'
import type { Attacked } from './judge-attack.ts'

export interface Target extends Attacked {
  readonly url: string
  readonly apiKey: string
  /** Addresses of the service itself, which commands must not reach. */
  readonly own: readonly string[]
}

export interface AttackOutcome {
  readonly name: string
  /** In words; rejects where it could not be found out. */
  readonly achieved: Promise<string[]>
}

const inFlight = 6

/** Begins at once with all attacks that are wanted; the outcomes come in their order. */
export async function attackService(
  target: Target,
  isWanted: (name: string) => boolean,
): Promise<AttackOutcome[]> {
  const { origin } = target
  const { refused, byCommand, byContent } = allAttacks({
    listener: origin.address,
    own: target.own,
  })
  const tasks = new Map<string, () => Promise<string[]>>()
  for (const attack of refused) {
    tasks.set(`refused: ${attack.name}`, () => judgeAttack(attack, target))
  }
  for (const attack of byCommand) {
    tasks.set(`command: ${attack.name}`, () => judgeAttack(attack, target))
  }
  for (const attack of byContent) {
    tasks.set(`content: ${attack.name}`, () => judgeAttack(attack, target))
  }
  for (const [name, body] of bodyOddities) tasks.set(`body: ${name}`, () => judgeBody(body, target))
  for (const url of forbiddenUrls(target.own)) {
    tasks.set(`address: ${url}`, () =>
      judgeSubmission(
        {
          input_files: { in_1: url },
          output_files: { out_1: 'a.mkv' },
          ffmpeg_command: copied,
          vcpu_count: 1,
        },
        target,
        'has to fail',
      ),
    )
  }
  for (const [name, archive] of await hostileArchives()) {
    tasks.set(`archive: ${name}`, () =>
      judgeSubmission(
        {
          input_compressed_folder: origin.publish('hostile.zip', archive),
          output_files: { out_1: 'a.mkv' },
          ffmpeg_command: '-i in.mp4 -c copy {{out_1}}',
          vcpu_count: 1,
        },
        target,
        'has to fail',
      ),
    )
  }
  return inTurns([...tasks].filter(([name]) => isWanted(name)))
}

const copied = '-i {{in_1}} -c copy {{out_1}}'

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
    ...(/ at .*\.ts:\d+|node_modules/.test(text)
      ? [`the answer tells of its source: ${text}`]
      : []),
    ...(answer.headers.has('x-injected') ? ['a header was injected'] : []),
  ]
}

function inTurns(tasks: readonly (readonly [string, () => Promise<string[]>])[]): AttackOutcome[] {
  const waiting = tasks.map(([name, run]) => ({ name, run, ...Promise.withResolvers<string[]>() }))
  for (const { promise } of waiting) promise.catch(() => undefined)
  const turns = waiting.values()
  for (let index = 0; index < inFlight; index += 1) void work()
  return waiting.map(({ name, promise }) => ({ name, achieved: promise }))

  async function work(): Promise<void> {
    for (const { run, resolve, reject } of turns) {
      try {
        resolve(await run())
      } catch (error) {
        reject(error)
      }
    }
  }
}
