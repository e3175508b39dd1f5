import { globSync, readFileSync } from 'node:fs'
import { importMistakes, sourceFile } from './imports.ts'
import { misnamedTests } from './machine-tests.ts'

/** Part of `npm run check`: prints each import that violates the layout, and exits with 1 if any does. */
const files = globSync(
  '{common,api-server,cli,console,operator,runner-image,crds,local-cluster,images,testing,e2e,scripts}/**/*.{ts,tsx,mjs}',
)
const sources = files.toSorted().map((file) => sourceFile(file, readFileSync(file, 'utf8')))
const mistakes = [...importMistakes(sources), ...misnamedTests(sources)]
for (const mistake of mistakes) console.log(mistake)
if (mistakes.length > 0) process.exitCode = 1
