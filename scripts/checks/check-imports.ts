import { globSync, readFileSync } from 'node:fs'
import { importMistakes, importsOf } from './imports.ts'

/** Part of `npm run check`: prints each import that violates the layout, and exits with 1 if any does. */
const files = globSync(
  '{common,api-server,cli,operator,runner-image,crds,testing,e2e,scripts}/**/*.{ts,mjs}',
)
const mistakes = importMistakes(
  files.toSorted().map((file) => ({ file, imports: importsOf(file, readFileSync(file, 'utf8')) })),
)
for (const mistake of mistakes) console.log(mistake)
if (mistakes.length > 0) process.exitCode = 1
