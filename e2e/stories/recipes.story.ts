import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'
import type { CommandStatusRecord } from '../../cli/client/client.ts'
import { isRecord, runCommand } from '../../local-cluster/host/run-command.ts'
import { environment } from '../steps/environment.ts'
import type { Environment } from '../steps/environment.ts'
import { listZip } from '../steps/zip.ts'
import { inspectOutput, loudnessOf } from './recipes/inspect-output.ts'
import { readRecipes } from './recipes/read-recipes.ts'
import type { Recipe } from './recipes/read-recipes.ts'
import { storedObjects } from '../steps/stored-outputs.ts'
import { untilEnd } from '../steps/submit-and-wait.ts'
import { makeSamples, storeSamples } from '../../scripts/quickstart/store-samples.ts'
import { sampled } from '../../testing/scale.ts'

const document = path.resolve(import.meta.dirname, '../../docs/recipes.md')
const recipes = sampled(readRecipes(await readFile(document, 'utf8')), {
  every: 4,
  nameOf: ({ title }) => title,
})

describe('a developer copies a recipe', () => {
  let env: Environment
  /** Address at which quickstart stores the files of the document. */
  let samples: string
  const done = new Set<string>()
  before(async function () {
    env = await environment(this)
    const folder = path.join(env.folder, 'recipes')
    await makeSamples({ programs: env.programs, folder, say: () => undefined })
    samples = await storeSamples({ s3: env.s3, folder })
  })

  for (const recipe of recipes) {
    it(`a developer gets what the document says of "${recipe.title}"`, async () => {
      const commandId = await call(recipe)
      const record = await untilEnd(env.client, commandId)
      expect(record.error_message).to.equal(null)
      expect(Object.keys(record.output_files ?? {})).to.have.members(Object.keys(recipe.outputs))
      await compareFiles(recipe, record)
      const logs = recipe.logs.length > 0 ? await env.client.getCommandLogs(commandId) : ''
      for (const text of recipe.logs) expect(logs).to.include(text)
      done.add(recipe.title)
    })
  }

  it('the developer has run every recipe of the document', () => {
    expect([...done]).to.deep.equal(recipes.map(({ title }) => title))
  })

  /** Types it into a shell as it stands there. */
  async function call({ call: text }: Recipe): Promise<string> {
    const answer = await runCommand('bash', ['-c', text], {
      env: {
        CLOUD_FFMPEG_URL: env.installed.url,
        CLOUD_FFMPEG_API_KEY: env.installed.apiKey,
        SAMPLE: `${samples}/film.mp4`,
        SAMPLES: samples,
      },
    })
    const parsed: unknown = JSON.parse(answer)
    if (!isRecord(parsed) || typeof parsed['command_id'] !== 'string') throw new Error(answer)
    return parsed['command_id']
  }

  async function compareFiles(recipe: Recipe, record: CommandStatusRecord): Promise<void> {
    for (const [key, fields] of Object.entries(recipe.outputs)) {
      const file = record.output_files?.[key]
      if (file === undefined) throw new Error(`there is no record of ${key}`)
      expect(agreeing({ ...file }, fields), key).to.deep.equal(fields)
      const url = file.storage_url ?? ''
      const streams = recipe.streams.get(key)
      if (streams !== undefined) {
        const inspected = await inspectOutput(env.programs, url)
        expect(inspected.streams, key).to.deep.equal(streams)
        const { duration = null } = fields
        if (duration !== null)
          expect(agreeing({ ...inspected }, { duration })).to.include({ duration })
      }
      const loudness = recipe.loudness.get(key)
      if (loudness !== undefined) {
        expect(await loudnessOf(env.programs, url), 'LUFS').to.be.closeTo(loudness, 0.5)
      }
      const files = recipe.files.get(key) ?? []
      const names = files.length > 0 ? await namesIn(key, url, file.command_id ?? '') : []
      expect(names).to.include.members(files)
    }
  }

  async function namesIn(key: string, url: string, commandId: string): Promise<string[]> {
    if (key === 'OUTPUT_FOLDER') return listZip(url)
    const keys = await storedObjects(env, commandId)
    return keys.flatMap((name) => name.split(`/${key}/`).slice(1))
  }
})

/** The document's own figure where the one that was found is near enough to it. */
function agreeing(
  found: Readonly<Record<string, unknown>>,
  said: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(said).map(([name, expected]) => {
      const value = found[name]
      const near =
        typeof value === 'number' &&
        typeof expected === 'number' &&
        Math.abs(value - expected) <= tolerance(name, expected)
      return [name, near ? expected : value]
    }),
  )
}

function tolerance(name: string, expected: number): number {
  if (name === 'duration') return 0.1
  return name === 'size_mbytes' ? expected / 10 : 0
}
