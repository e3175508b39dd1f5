import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { styleText } from 'node:util'

/** Runs all checks of a commit concurrently and prints every failure. */
const checks: Readonly<Record<string, readonly string[]>> = {
  types: ['tsc', '-p', '.'],
  'types of the console': ['tsc', '-p', 'console'],
  'types of the drawings': ['tsc', '-p', 'scripts/dashboard/draw/page'],
  lint: ['oxlint', '--type-aware', '--deny-warnings'],
  format: ['prettier', '--check', '--log-level', 'warn', '.'],
  imports: ['node', 'scripts/checks/check-imports.ts'],
  words: ['node', 'scripts/checks/check-words.ts'],
  'dead code': ['knip'],
  'generated files': ['node', 'scripts/generate.ts', '--check'],
}

const root = resolve(import.meta.dirname, '..')
const results = await Promise.all(
  Object.entries(checks).map(async ([name, command]) => ({ name, ...(await run(command)) })),
)
for (const { name, ok, output } of results) {
  console.log(`${ok ? styleText('green', '✔') : styleText('red', '✘')} ${name}`)
  if (!ok) console.log(output.trimEnd())
}
if (results.some(({ ok }) => !ok)) process.exitCode = 1

function run([program = '', ...args]: readonly string[]): Promise<{ ok: boolean; output: string }> {
  return new Promise((done, fail) => {
    const child = spawn(resolve(root, 'node_modules/.bin', program), args, { cwd: root })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.on('error', fail)
    child.on('close', (code) => done({ ok: code === 0, output }))
  })
}
