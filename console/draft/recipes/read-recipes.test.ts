import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { sourceMistakes } from '../../../common/command-line/plan/source-mistakes.ts'
import { draftFromRecipe, featured, recipeOf } from './recipe-draft.ts'
import { emptyDraft, requestOf } from '../draft.ts'
import { sourceOf } from '../problems/source-of.ts'
import { readRecipes } from './read-recipes.ts'

const document = readFileSync(new URL('../../../docs/recipes.md', import.meta.url), 'utf8')
const recipes = readRecipes(document)

describe('recipes of the playground', () => {
  it('reads all recipes of the document, each with a theme and a sentence', () => {
    expect(recipes).to.have.length(document.match(/^### /gm)?.length ?? 0)
    for (const { title, theme, about } of recipes) {
      expect(theme, title).to.match(/^[A-Z]/)
      expect(about, title).to.match(/^$|\.$/)
    }
    expect(recipes.map(({ title }) => title)).to.include.members(Object.keys(featured))
  })

  it('recipes make drafts without a mistake, which are the requests of the document again', () => {
    for (const recipe of recipes) {
      const draft = draftFromRecipe(recipe, emptyDraft)
      const chained = draft.commands.length > 1
      expect(sourceMistakes(sourceOf(draft), chained), recipe.title).to.deep.equal([])
      const { input_files: inputs = {}, ...rest } = recipe.request as unknown as {
        input_files?: Record<string, string>
      }
      const { input_files: asked, ...made } = requestOf(draft) as unknown as {
        input_files?: Record<string, string>
      }
      expect(made, recipe.title).to.deep.equal({
        ...rest,
        ...('input_compressed_folder' in rest ? { input_compressed_folder: '' } : {}),
      })
      expect(Object.keys(asked ?? {}), recipe.title).to.deep.equal(Object.keys(inputs))
    }
  })

  it('recipeOf returns the recipe of a draft with any files, and null once its words or options differ', () => {
    for (const recipe of recipes) {
      const draft = draftFromRecipe(recipe, emptyDraft)
      const file = { name: 'clip.mov', mbytes: 3, upload: null }
      const url = 'https://media.example/clip.mov'
      const filled = { ...draft, inputs: draft.inputs.map((input) => ({ ...input, url, file })) }
      const [first = '', ...rest] = draft.commands
      const changes = [
        { commands: [`${first} `, ...rest] },
        { outputs: [{ alias: 'out_1', name: 'other.mp4' }] },
        { options: { ...draft.options, vcpus: '3' } },
      ]
      expect(recipeOf(recipes, filled)?.title).to.equal(recipe.title)
      for (const change of changes) {
        expect(recipeOf(recipes, { ...filled, ...change }), recipe.title).to.equal(null)
      }
    }
    expect(recipeOf(recipes, emptyDraft)).to.equal(null)
  })

  it('recipes keep the files that the draft has, by alias', () => {
    const file = { name: 'clip.mov', mbytes: 3, upload: null }
    const url = 'https://media.example/clip.mov'
    const before = { ...emptyDraft, inputs: [{ alias: 'in_1', url, file, hint: null }] }
    const watermark = recipes.find(({ title }) => title === 'A watermark')
    if (watermark === undefined) throw new Error('there is no such recipe')
    expect(draftFromRecipe(watermark, before).inputs).to.deep.equal([
      { alias: 'in_1', url, file, hint: 'film.mp4' },
      { alias: 'in_2', url: '', file: null, hint: 'logo.png' },
    ])
  })
})

describe('readRecipes', () => {
  const section = (call: string) =>
    `# Recipes\n\nIntro\n\n## Video\n\nWords\n\n### A GIF\n\nA short\nloop.\n\n\`\`\`sh\n${call}\n\`\`\`\n`

  it('readRecipes reads a body in single quotes, and one in a here document that holds quotes', () => {
    const quoted = readRecipes(section(`curl -d '{"ffmpeg_command": "a"}'`))
    expect(quoted).to.deep.equal([
      { title: 'A GIF', theme: 'Video', about: 'A short loop.', request: { ffmpeg_command: 'a' } },
    ])
    const [here] = readRecipes(section(`curl -d @- <<'JSON'\n{"ffmpeg_command": "it's"}\nJSON`))
    expect(here?.request).to.deep.equal({ ffmpeg_command: "it's" })
  })

  it('readRecipes throws with the title when a recipe has no body that can be read', () => {
    expect(() => readRecipes(section('curl https://x.example'))).to.throw('"A GIF" has no body')
  })
})
