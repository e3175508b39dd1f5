import { expect } from 'chai'
import { chown, cp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { finalArgv } from '../../../common/command-line/plan/final-argv.ts'
import { planCommands } from '../../../common/command-line/plan/plan-commands.ts'
import { folders } from '../../support/plan-one.ts'
import { makeAttackFixtures } from './attack-fixtures.ts'
import { startAttackHost } from './attack-host.ts'
import { attacksByContent } from './attacks-by-content.ts'
import { attacksByCommand } from './attacks.ts'
import { runnerId } from '../../ffmpeg/runner/container.ts'
import { startSupervised } from '../../ffmpeg/runner/test-runner.ts'
import { useRunnerParts } from '../../ffmpeg/runner/use-runner.ts'
import { sampled } from '../../scale.ts'
import type { AttackTargets } from '../attack-commands.ts'
import type { AttackFixtures } from './attack-fixtures.ts'
import type { AttackHost } from './attack-host.ts'
import type { ContentAttack } from './attacks-by-content.ts'
import type { Attack } from './attacks.ts'
import type { Supervised } from '../../ffmpeg/runner/test-runner.ts'

/** `ATTACK_FFMPEG=hardened` takes the build without network and plug-ins. */
const ffmpeg = process.env['ATTACK_FFMPEG'] === 'hardened' ? 'hardened' : 'debian'

/**
 * The sandbox alone, without the parser in front of it. Effects are judged, not exit codes: some of
 * the attacks that achieve nothing end with 0. Each runs without the sandbox as well, because an
 * attack that fails anyway would prove nothing.
 */
describe('an attack by command line', function () {
  this.timeout(1_200_000)
  const parts = useRunnerParts({ ffmpeg })
  let host: AttackHost
  let ranCode = false
  let targets: AttackTargets

  before(async () => {
    host = await startAttackHost(canary.repeat(64))
    targets = {
      secret: '/app/secret',
      secretRelative: '../../app/secret',
      outside: '/link/out',
      outsideRelative: '../../link/out',
      host: host.host,
      job: '/job/work',
    }
    await writeFile(path.join(parts.app, 'secret'), `${canary}\n`.repeat(200))
    const spoken = `1\n00:00:00,000 --> 00:00:02,000\n${canary}\n`
    await writeFile(path.join(parts.app, 'secret.srt'), spoken)
    await writeFile(path.join(parts.app, 'secret.wav'), textAsWav(`${canary}\n`.repeat(200)))
  })
  after(() => host.close())

  it('an attack reaches nothing outside', async () => {
    expect(await successes('required', some(all()))).to.deep.equal([])
    // mapping a file as code is not fenced: what it does then is
    expect(ranCode).to.equal(ffmpeg === 'debian')
  })

  if (ffmpeg === 'debian') {
    it('an attack would work without the sandbox, except for a few', async () => {
      const first = some(all()).filter(({ name }) =>
        /^[RWNX](?:\d\d|3\d\d)$|^R1(?:2[89]|3[0-8])$|^W6|^N60[1-4]$/.test(name),
      )
      const names = first.map(({ name }) => name)
      const failing = new Set(names).difference(new Set(await successes('off', first)))
      expect([...failing]).to.have.members(harmlessAnyway.filter((name) => names.includes(name)))
    })

    it('an attack is refused, or reaches nothing, where the parser stands in front', async () => {
      const accepted = all().flatMap((attack) => {
        const argv = planned(attack.command)
        return argv === null ? [] : [{ ...attack, argv }]
      })
      expect(accepted.every(({ name }) => name.startsWith('C'))).to.equal(true)
      expect(await successes('required', some(accepted))).to.deep.equal([])
    })
  }

  it('an attack by content is harmless, and works, when it names files of the working folder', async () => {
    await using supervised = await startSupervised(parts)
    const fixtures = await makeAttackFixtures(supervised, targets)
    const work = path.join(supervised.container.job, 'work')
    for (const { name, command, twin } of some(byContent())) {
      if (twin === undefined) continue
      await fillFolder(work, fixtures, twin)
      const exited = await supervised.run(planned(command) ?? [])
      expect(exited.code, `${name}: ${exited.tail}`).to.equal(0)
      expect(await readdir(work), name).not.to.include('own.ts')
      if (!command.endsWith('o.bin')) continue
      expect((await stat(path.join(work, 'o.bin'))).size, name).to.be.greaterThan(0)
    }
  })

  function all(): Attack[] {
    return [...attacksByCommand(targets), ...byContent()]
  }

  function byContent(): ContentAttack[] {
    const media = { sound: '/app/secret.wav', subtitles: '/app/secret.srt' }
    return attacksByContent(targets, media)
  }

  /** Names of the attacks that reach something outside. */
  async function successes(mode: string, tried: readonly Attack[]): Promise<string[]> {
    await using supervised = await startSupervised(parts, {
      args: ['--sandbox', mode],
      env: { LEAK: canary },
    })
    const fixtures = await makeAttackFixtures(supervised, targets)
    const found: string[] = []
    for (const attack of tried) {
      if (await succeeds(supervised, attack, fixtures)) found.push(attack.name)
    }
    return found
  }

  async function succeeds(
    supervised: Supervised,
    { name, argv, files = {} }: Attack,
    fixtures: AttackFixtures,
  ): Promise<boolean> {
    const { client, container } = supervised
    const work = path.join(container.job, 'work')
    const out = path.join(container.link, 'out')
    await emptyFolder(out)
    await giveFile(out, kept, 'not to be deleted')
    await fillFolder(work, fixtures, files)
    const before = { visits: await host.visits(), messages: client.received.length }
    await supervised.run(['-loglevel', 'info', ...argv], { seconds: 6 })
    if (name === 'X01') ranCode = (await readdir(work)).includes('marker')
    // links and pipes would be followed by the container that has the network
    const planted = (await readdir(work)).some((each) => each.startsWith('planted'))
    const said = JSON.stringify(client.received.slice(before.messages))
    return (
      planted ||
      said.includes(canary) ||
      (await host.visits()) > before.visits ||
      (await readdir(out)).join('/') !== kept ||
      (await leaks(work, fixtures))
    )
  }
})

const canary = 'CANARY-5f1c'

/** About a dozen, and two at least of each letter; all with `npm run test:full`. */
function some<T extends Attack>(attacks: readonly T[]): T[] {
  return sampled(attacks, {
    every: 60,
    least: 2,
    nameOf: ({ name }) => name,
    // X01 always runs: the first test expects its effect.
    themeOf: ({ name }) => (name === 'X01' ? name : name.slice(0, 1)),
  })
}

/** Stays where it is, outside: a playlist can name what is to be deleted. */
const kept = 'kept.ts'

/** These fail by themselves in this image. */
const harmlessAnyway = [
  'R05', // the cache protocol finds no folder for its temporary file
  'R09', // the environment is empty, sandbox or not
  'R15', // the error shows a fragment of the file only
  'R16', // a graph has no values from files but those of options
  'R136', // only the first file of a list is shown
  'R306',
  'R307',
  'R308',
  'N303',
  'N304', // opened, but what it holds is not shown
  'R309', // libaom wants a table there
  'W307',
  'W308',
  'W309', // wants a folder that FFmpeg does not make, but a plan does
  'N305', // no server answers
  'W615',
  'W616', // no protocol has the name that comes out
]

/** Whether an output shows the canary. */
async function leaks(work: string, { folder, emptyFrame }: AttackFixtures): Promise<boolean> {
  const given = new Set(await readdir(folder))
  const entries = await readdir(work, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    const file = path.join(entry.parentPath, entry.name)
    if (!entry.isFile() || given.has(path.relative(work, file).split('/')[0] ?? '')) continue
    const content = await readFile(file, 'latin1')
    if (content.includes(canary)) return true
    // letters that were drawn show in the digest alone
    if (entry.name === 'o.md5' && content !== '' && content !== emptyFrame) return true
  }
  return false
}

async function fillFolder(
  work: string,
  fixtures: AttackFixtures,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  await emptyFolder(work)
  await cp(fixtures.folder, work, { recursive: true })
  for (const [file, content] of Object.entries(files)) await giveFile(work, file, content)
}

/** To the user of the image, who may do with it what the fences leave. */
async function giveFile(folder: string, name: string, content: string): Promise<void> {
  const file = path.join(folder, name)
  await writeFile(file, content)
  await chown(file, runnerId, runnerId)
}

/** The folder itself stays: it belongs to the job's user. */
async function emptyFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(path.join(folder, name), { recursive: true })
}

/** Argv that FFmpeg would get behind the parser, in the form in which bare names are allowed; null if refused. */
function planned(command: string): string[] | null {
  const result = planCommands({ ...folders, commands: [command], chained: false })
  const step = result.ok ? result.plan.steps[0] : undefined
  if (step === undefined) return null
  return finalArgv(step, { inputPaths: {}, vcpuCount: 1, maxPixels: 1_000_000 })
}

/** A WAV file whose 8-bit samples, 8,000 a second, are the characters: a decoder gives them away. */
export function textAsWav(text: string): Buffer {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + text.length, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(8000, 24)
  header.writeUInt32LE(8000, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  header.write('data', 36)
  header.writeUInt32LE(text.length, 40)
  return Buffer.concat([header, Buffer.from(text, 'latin1')])
}
