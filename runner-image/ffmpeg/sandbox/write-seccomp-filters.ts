import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { architectureNames, seccompFilter } from './seccomp.ts'

const folder = process.argv[2]
if (folder === undefined) throw new Error('usage: node write-seccomp-filters.ts FOLDER')
mkdirSync(folder, { recursive: true })
for (const architecture of architectureNames) {
  writeFileSync(join(folder, `seccomp-${architecture}.bpf`), seccompFilter(architecture))
}
