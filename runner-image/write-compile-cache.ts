import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { chmod, chown, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * Part of the image's build, as root in the image: starts both programs as a pod would, lets them
 * run as far as they can alone, and keeps what V8 compiled. Node.js reads the cache from
 * NODE_COMPILE_CACHE, takes only entries that fit its version, its user and the processor
 * (https://nodejs.org/api/module.html#module-compile-cache), and compiles the rest as usual. A
 * startup snapshot would not be faster: with an empty program in it Node.js takes a third more CPU
 * time to start than without, and node:http cannot be part of one.
 */
const cache = '/app/compile-cache'
const runner = 10001
/** Time in ms for the work after the start: a request, a self-test. */
const settleMs = 1_000
const programs = [
  ['/app/supervisor.mjs'],
  // the connection is refused there: it requests its assignment until it gets a signal
  ['/app/transfer.mjs', '--gateway', 'http://127.0.0.1:9', '--token-file', '/etc/nsswitch.conf'],
]

for (const folder of [cache, '/link', '/job/in', '/job/work', '/job/tmp']) {
  await mkdir(folder, { recursive: true })
  await chown(folder, runner, runner)
}
for (const args of programs) {
  rmSync('/link/ffmpeg.sock', { force: true })
  const child = spawn(process.execPath, args, {
    uid: runner,
    gid: runner,
    env: { NODE_COMPILE_CACHE: cache },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  // The supervisor listens before anything else, and transfer writes a log line.
  await Promise.race([once(child.stdout, 'data'), ended, listening()])
  await delay(settleMs)
  child.kill('SIGTERM')
  // what was compiled is written at the end
  await Promise.race([ended, delay(30_000, null, { ref: false }).then(tooLate)])
}
const written = await readdir(cache, { recursive: true, withFileTypes: true })
const files = written.filter((entry) => entry.isFile())
if (files.length !== programs.length) {
  throw new Error(`${files.length} compiled programs instead of ${programs.length} in ${cache}`)
}
// Root's, and readable: a program that can be made to write files must not write its own code.
for (const entry of written) {
  const file = join(entry.parentPath, entry.name)
  await chmod(file, entry.isFile() ? 0o644 : 0o755)
  await chown(file, 0, 0)
}
await chown(cache, 0, 0)

async function listening(): Promise<void> {
  while (!existsSync('/link/ffmpeg.sock')) await delay(50, null, { ref: false })
}

function tooLate(): never {
  throw new Error('a program did not end at SIGTERM')
}
