// with-dependencies.mjs SCRIPT [ARGUMENT...]: runs a TypeScript file of this project, after `npm ci` if needed.
// Plain JavaScript for any Node.js from 18.17 on, because it runs before `npm ci` has brought the Node.js 24 that the
// project itself uses.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const programs = path.join(root, 'node_modules', '.bin')
const marker = path.join(root, 'node_modules', '.cloud-ffmpeg-lock')

const [script, ...rest] = process.argv.slice(2)
if (script === undefined) {
  console.error('with-dependencies.mjs SCRIPT [ARGUMENT...]')
  process.exit(2)
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 18 || (major === 18 && minor < 17)) {
  console.error(
    `Node.js 18.17 or newer is needed, this is ${process.version}; npm ci brings the Node.js 24 that the code runs on`,
  )
  process.exit(1)
}

const wanted = createHash('sha256')
  .update(readFileSync(path.join(root, 'package-lock.json')))
  .digest('hex')
if (!existsSync(marker) || readFileSync(marker, 'utf8').trim() !== wanted) {
  console.error('installing npm packages (npm ci, usually 10 to 60 s)')
  const begun = process.hrtime.bigint()
  const code = await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'])
  if (code !== 0) {
    console.error(`npm ci ended with ${code}; the lines above say why`)
    process.exit(code)
  }
  // written last, so that an interrupted installation is repeated
  writeFileSync(marker, `${wanted}\n`)
  console.error(
    `installing npm packages: done in ${(process.hrtime.bigint() - begun) / 1000000000n} s`,
  )
}
process.exitCode = await run(path.join(programs, 'node'), [path.resolve(root, script), ...rest])

/** Resolves with the exit code, or 128 + number after a signal, as in a shell. */
function run(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, PATH: [programs, process.env.PATH].join(path.delimiter) },
    })
    // the child handles signals; this process exits after it
    const forward = (signal) => child.kill(signal)
    const signals = ['SIGTERM', 'SIGHUP']
    // a terminal sends its interrupt to the child too; forwarding would send a second one
    if (process.stdin.isTTY) process.on('SIGINT', ignore)
    else signals.push('SIGINT')
    for (const signal of signals) process.on(signal, forward)
    child.once('error', reject)
    child.once('close', (code, signal) => {
      for (const each of signals) process.off(each, forward)
      process.off('SIGINT', ignore)
      resolve(code ?? 128 + constants.signals[signal])
    })
  })
}

function ignore() {}
