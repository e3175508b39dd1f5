import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { countWords, findWords, folderOf, wordMistakes } from './words.ts'
import type { WordCounts } from './words.ts'

/** Part of `npm run check`: prints each folder with more excluded words than recorded and where they are, and ends with 1 then. */
const written = [
  '*.ts',
  '*.tsx',
  '*.mjs',
  '*.sql',
  '*.md',
  '*.py',
  '*/openapi.json',
  '*.schema.json',
  'crds',
  'charts',
]
const files = execFileSync('git', ['ls-files', ...written], { encoding: 'utf8' })
const texts = files
  .trim()
  .split('\n')
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }))
const recorded = JSON.parse(
  readFileSync(new URL('word-counts.json', import.meta.url), 'utf8'),
) as WordCounts
const counts = countWords(texts)
const mistakes = wordMistakes(counts, recorded)
for (const mistake of mistakes) console.log(mistake)
if (mistakes.length > 0) {
  const above = texts.filter(({ file }) => {
    const folder = folderOf(file)
    return (counts[folder] ?? 0) > (recorded[folder] ?? 0)
  })
  for (const place of above.flatMap(findWords)) console.log(place)
  console.log(JSON.stringify(counts))
  process.exitCode = 1
}
