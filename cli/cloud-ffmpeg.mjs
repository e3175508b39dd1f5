#!/usr/bin/env node
// The tool in a clone: plain JavaScript for any Node.js from 18.17 on, which runs the sources with the Node.js
// that `npm ci` brings. The package that users install has a bundle in its place.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const here = path.dirname(fileURLToPath(import.meta.url))
const sources = path.join(here, 'main.ts')
const ownNode = path.join(here, '..', 'node_modules', '.bin', 'node')

if (Number(process.versions.node.split('.')[0]) >= 24) await import(sources)
else if (existsSync(ownNode)) process.exitCode = await runWith(ownNode)
else {
  console.error("cloud-ffmpeg: run 'npm ci' in the clone first")
  process.exitCode = 1
}

/** A terminal sends its signals to the child too, which decides what they mean. */
function runWith(node) {
  const child = spawn(node, [sources, ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    })
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal]))
  })
}
