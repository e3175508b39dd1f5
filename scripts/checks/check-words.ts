import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { commentMistakes } from './comments.ts'
import { countWords, findWords, folderOf, wordMistakes } from './words.ts'
import type { WordCounts } from './words.ts'

/** Part of `npm run check`: prints excluded words above their record and comments without a subject, and ends with 1 then. */
const written = [
  '*.ts',
  '*.tsx',
  '*.mjs',
  '*.css',
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
const recorded = readJson('word-counts.json') as WordCounts
const fragments = commentMistakes(texts, readJson('unfinished-comments.json') as string[])
const counts = countWords(texts)
const mistakes = wordMistakes(counts, recorded)
for (const mistake of [...mistakes, ...fragments]) console.log(mistake)
if (fragments.length > 0) process.exitCode = 1
if (mistakes.length > 0) {
  const above = texts.filter(({ file }) => {
    const folder = folderOf(file)
    return (counts[folder] ?? 0) > (recorded[folder] ?? 0)
  })
  for (const place of above.flatMap(findWords)) console.log(place)
  console.log(JSON.stringify(counts))
  process.exitCode = 1
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'))
}
