import { expect } from 'chai'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { readRecipes } from './read-recipes.ts'

const section = `# Recipes
About quoting.

## Pictures

### A thumbnail

What for.

\`\`\`sh
curl -s $URL -d '{"a": "b"}'
\`\`\`

\`\`\`json
{ "out_1": { "width": 640 }, "OUTPUT_FOLDER": { "file_count": 2 } }
\`\`\`

Streams of \`out_1\`: video h264 640x360, audio aac.
Loudness of \`out_1\`: -14 LUFS.
Files of \`OUTPUT_FOLDER\`: \`a.jpg\`, \`b/c.jpg\`.

Logs: \`"input_i" : "-14.00"\`.

A trap.

## Sound

Of no recipe.
`

describe('the reader of recipes', () => {
  it('takes from each section what to type and what is said of the result', () => {
    expect(readRecipes(section)).to.deep.equal([
      {
        title: 'A thumbnail',
        call: 'curl -s $URL -d \'{"a": "b"}\'\n',
        outputs: { out_1: { width: 640 }, OUTPUT_FOLDER: { file_count: 2 } },
        streams: new Map([['out_1', ['video h264 640x360', 'audio aac']]]),
        files: new Map([['OUTPUT_FOLDER', ['a.jpg', 'b/c.jpg']]]),
        loudness: new Map([['out_1', -14]]),
        logs: ['"input_i" : "-14.00"'],
      },
    ])
  })

  it('refuses a recipe without a call, and one that speaks of what it does not make', () => {
    expect(() => readRecipes(section.replace('```sh', '```text'))).to.throw('one block of sh')
    expect(() => readRecipes(section.replace('of `out_1`', 'of `out_2`'))).to.throw('no out_2')
  })

  it('finds more than twenty in the document, each with something to compare of every output', async () => {
    const document = path.resolve(import.meta.dirname, '../../../docs/recipes.md')
    const markdown = await readFile(document, 'utf8')
    const recipes = readRecipes(markdown)
    expect(recipes.length).to.be.greaterThan(20)
    expect(recipes.length).to.equal(markdown.match(/^```sh$/gm)?.length)
    expect(new Set(recipes.map(({ title }) => title)).size).to.equal(recipes.length)
    for (const { title, outputs, streams, files, logs } of recipes) {
      for (const [key, fields] of Object.entries(outputs)) {
        const compared = streams.has(key) || files.has(key) || logs.length > 0
        expect(compared || fields['file_format'] === 'webp', `${title}: ${key}`).to.equal(true)
      }
    }
  })
})
