import { expect } from 'chai'
import { chmod, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, get } from 'node:http'
import type { Server } from 'node:http'
import path from 'node:path'
import { runCommand } from '../cluster/run-command.ts'
import { installMissing } from '../cluster/tools/debian-packages.ts'
import { attacks } from './attacks.ts'
import type { Attack, Targets } from './attacks.ts'
import { referTo } from './foreign-reference.ts'
import { runnerParts, startSupervised } from './test-runner.ts'
import type { RunnerParts, RunningSupervisor } from './test-runner.ts'

/**
 * The sandbox alone, without the parser in front of it. Effects are judged, not exit codes: some of
 * the attacks that achieve nothing end with 0. Each runs without the sandbox as well, because an
 * attack that fails anyway would prove nothing.
 */
describe('an attack by command line', function () {
  this.timeout(60_000)
  let parts: RunnerParts
  let host: Server
  let connections = 0
  let knocks = 0
  let ranCode = false
  let targets: Targets

  before(async function () {
    this.timeout(600_000)
    parts = await runnerParts()
    host = createServer((request, response) => {
      request.resume()
      response.end(canary.repeat(64))
    })
    host.on('connection', () => {
      connections += 1
    })
    await new Promise<void>((resolve) => {
      host.listen(0, '127.0.0.1', resolve)
    })
    const address = host.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    targets = {
      secret: '/app/secret',
      relativeSecret: '../../app/secret',
      outside: '/link/out',
      relativeOutside: '../../link/out',
      host: `127.0.0.1:${String(address.port)}`,
    }
    await writeFile(path.join(parts.app, 'secret'), `${canary}\n`.repeat(200))
  })
  after(async () => {
    host.closeAllConnections()
    host.close()
    await parts.remove()
  })

  it('reaches nothing outside', async () => {
    expect(await successes('required')).to.deep.equal([])
    // mapping a file as code is not fenced: what it does then is
    expect(ranCode).to.equal(true)
  })

  it('would work without the sandbox', async () => {
    const all = attacks(targets).map(({ name }) => name)
    const failing = new Set(all).difference(new Set(await successes('off')))
    expect([...failing]).to.deep.equal(harmlessAnyway)
  })

  /** Names of the attacks that reach something outside. */
  async function successes(mode: string): Promise<string[]> {
    await using supervised = await startSupervised(parts, {
      args: ['--sandbox', mode],
      env: { LEAK: canary },
    })
    await supervised.client.next('ready')
    const fixtures = await makeFixtures(supervised, targets)
    const found: string[] = []
    for (const attack of attacks(targets)) {
      if (await succeeds(supervised, attack, fixtures)) found.push(attack.name)
    }
    return found
  }

  /** Connections of others. One of our own behind them makes sure that they have all been seen. */
  async function visits(): Promise<number> {
    const answered = Promise.withResolvers<void>()
    get(`http://${targets.host}/`, { agent: false }, (response) => {
      response.resume().once('end', () => answered.resolve())
    }).once('error', answered.reject)
    await answered.promise
    knocks += 1
    return connections - knocks
  }

  async function succeeds(
    supervised: RunningSupervisor,
    { name, argv }: Attack,
    fixtures: Fixtures,
  ): Promise<boolean> {
    const { client, container } = supervised
    const work = path.join(container.job, 'work')
    const out = path.join(container.link, 'out')
    await emptyFolder(out)
    await emptyFolder(work)
    await cp(fixtures.folder, work, { recursive: true })
    const before = { visits: await visits(), messages: client.received.length }
    await supervised.run(['-loglevel', 'info', ...argv])
    if (name === 'X01') ranCode = (await readdir(work)).includes('marker')
    const said = JSON.stringify(client.received.slice(before.messages))
    return (
      said.includes(canary) ||
      (await visits()) > before.visits ||
      (await readdir(out)).length > 0 ||
      (await leaks(work, fixtures))
    )
  }
})

const canary = 'CANARY-5f1c'

/** These fail by themselves in this image. */
const harmlessAnyway = [
  'R05', // the cache protocol finds no folder for its temporary file
  'R09', // the environment is empty, sandbox or not
  'R15', // the error shows a fragment of the file only
  'R16', // a graph has no values from files but those of options
]

interface Fixtures {
  readonly folder: string
  /** Of a frame on which nothing was written. */
  readonly emptyFrame: string
}

async function makeFixtures(supervised: RunningSupervisor, targets: Targets): Promise<Fixtures> {
  const { job, link } = supervised.container
  const work = path.join(job, 'work')
  const folder = path.join(job, 'in')
  const out = path.join(link, 'out')
  await mkdir(out)
  await chmod(out, 0o777)
  const make = async (command: string): Promise<void> => {
    const exited = await supervised.run(command.split(' '))
    expect(exited.code, `${command}: ${exited.tail}`).to.equal(0)
  }
  await make('-f lavfi -i testsrc2=d=3:s=128x96 -f lavfi -i sine=d=3 -c:v libx264 in.mp4')
  await make('-i in.mp4 -map 0:a -c:a pcm_s16le -f mov plain.mov')
  await writeFile(path.join(work, 'note'), 'a harmless attachment')
  await make('-i in.mp4 -c copy -attach note -metadata:s:t mimetype=text/plain -f matroska att.mkv')
  await make(`-i in.mp4 -vf drawtext=text=:fontfile=${font} -frames:v 1 -f md5 empty.md5`)
  for (const name of ['in.mp4', 'att.mkv']) await cp(path.join(work, name), path.join(folder, name))
  const movie = await readFile(path.join(work, 'plain.mov'))
  await writeFile(path.join(folder, 'dref.mov'), referTo(movie, targets.secret))
  await writeFile(path.join(folder, 'lstc'), targets.secret)
  await buildPlugin(path.join(folder, 'evil.mp4'), targets)
  return { folder, emptyFrame: await readFile(path.join(work, 'empty.md5'), 'utf8') }
}

const font = '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'

/** A plug-in under a video's name: its constructor reads and writes wherever it can. */
async function buildPlugin(file: string, targets: Targets): Promise<void> {
  const source = `
    #include <stdio.h>
    __attribute__((constructor)) static void attack(void) {
      char text[64] = "nothing";
      FILE *secret = fopen("${targets.secret}", "r");
      if (secret) fread(text, 1, sizeof text - 1, secret);
      FILE *outside = fopen("${targets.outside}/marker", "w");
      if (outside) fputs(text, outside), fclose(outside);
      FILE *inside = fopen("marker", "w");
      if (inside) fputs(text, inside), fclose(inside);
    }`
  await installMissing(compilerNeeds, () => undefined)
  await runCommand('cc', ['-shared', '-fPIC', '-x', 'c', '-o', file, '-'], { input: source })
}

const compilerNeeds = [
  ['cc', 'gcc'],
  ['/usr/include/stdio.h', 'libc6-dev'],
] as const

/** The folder itself stays: it belongs to the job's user. */
async function emptyFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(path.join(folder, name), { recursive: true })
}

async function leaks(work: string, { folder, emptyFrame }: Fixtures): Promise<boolean> {
  const given = new Set(await readdir(folder))
  for (const name of await readdir(work)) {
    if (given.has(name)) continue
    const content = await readFile(path.join(work, name), 'latin1')
    if (content.includes(canary)) return true
    // letters that were drawn show in the digest alone
    if (name === 'o.md5' && content !== '' && content !== emptyFrame) return true
  }
  return false
}
