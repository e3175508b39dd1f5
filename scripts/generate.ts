import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { generatedFiles } from './generated/generated-files.ts'

/** Writes every generated file, or with `--check` lists stale ones and fails. */
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const root = resolve(import.meta.dirname, '..')

const stale: string[] = []
for (const { path, content } of await generatedFiles(root)) {
  const current = await readFile(resolve(root, path), 'utf8').catch(() => null)
  if (current === content) continue
  stale.push(path)
  if (!values.check) await writeFile(resolve(root, path), content)
}
if (values.check && stale.length > 0) {
  console.error(`not current: ${stale.join(', ')}; run 'npm run generate'`)
  process.exitCode = 1
} else {
  console.log(stale.length === 0 ? 'generated files are current' : `wrote ${stale.join(', ')}`)
}
