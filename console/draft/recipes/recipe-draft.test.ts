import { expect } from 'chai'
import { aDraft, anInput, aStoredFile } from '../any-draft.fixture.ts'
import { emptyDraft, usualOptions } from '../draft.ts'
import { draftFromRecipe } from './recipe-draft.ts'
import type { Recipe } from './read-recipes.ts'

const recipe = (request: object): Recipe => ({
  title: 'A recipe',
  theme: 'Video',
  about: '',
  request: {
    ffmpeg_command: '-i {{in_1}} {{out_1}}',
    input_files: { in_1: 'https://media.example/films/film.mp4' },
    output_files: { out_1: 'a.mp4' },
    ...request,
  } as Recipe['request'],
})

describe('draftFromRecipe', () => {
  it('draftFromRecipe replaces the example URLs of the document by hints at their names', () => {
    expect(draftFromRecipe(recipe({}), emptyDraft).inputs).to.deep.equal([
      anInput({ hint: 'film.mp4' }),
    ])
  })

  it('draftFromRecipe keeps files by their aliases, and drops files that the recipe does not read', () => {
    const file = aStoredFile({ upload: 'u1' })
    const before = aDraft({
      inputs: [
        anInput({ alias: 'in_2', url: 'https://media.example/b' }),
        anInput({ alias: 'in_1', file }),
      ],
    })
    expect(draftFromRecipe(recipe({}), before).inputs).to.deep.equal([
      anInput({ file, hint: 'film.mp4' }),
    ])
  })

  it('draftFromRecipe keeps the archive of the draft when the recipe reads an archive', () => {
    const zipped = recipe({
      input_files: null,
      input_compressed_folder: 'https://media.example/a.zip',
    })
    expect(draftFromRecipe(zipped, emptyDraft)).to.include({ zip: '' })
    const before = aDraft({ zip: 'https://media.example/mine.zip' })
    expect(draftFromRecipe(zipped, before).zip).to.equal('https://media.example/mine.zip')
    expect(draftFromRecipe(recipe({}), before).zip).to.equal(null)
  })

  it('draftFromRecipe takes options that the recipe names, and defaults in place of those of the draft', () => {
    const before = aDraft({
      options: { ...usualOptions, vcpus: '16', isPrivate: true, priority: 'low', ttl: '60' },
    })
    expect(draftFromRecipe(recipe({}), before).options).to.deep.equal(usualOptions)
    const named = recipe({ vcpu_count: 8, max_command_run_seconds: 60, metadata: { a: 1 } })
    expect(draftFromRecipe(named, before).options).to.deep.equal({
      ...usualOptions,
      vcpus: '8',
      seconds: '60',
      metadata: [['a', 1]],
    })
  })

  it('draftFromRecipe makes a chain, or a zip of all outputs, when the recipe has one', () => {
    const chain = recipe({ ffmpeg_command: undefined, ffmpeg_commands: ['a', 'b'] })
    expect(draftFromRecipe(chain, emptyDraft).commands).to.deep.equal(['a', 'b'])
    expect(draftFromRecipe(recipe({ output_files: 'OUTPUT_FOLDER' }), emptyDraft).outputs).to.equal(
      null,
    )
  })
})
