import { signal } from '@preact/signals'
import { expect } from 'chai'
import { ApiError } from '../../../cli/client/errors.ts'
import { aFile } from '../../shell/samples.fixture.ts'
import { scriptedService, status } from '../../shell/scripted-service.fixture.ts'
import { aDraft, anInput, aStoredFile } from '../any-draft.fixture.ts'
import { createChecker } from './checker.ts'
import { emptyDraft } from '../draft.ts'
import type { Signal } from '@preact/signals'
import type { ScriptedService } from '../../shell/scripted-service.fixture.ts'
import type { Checker } from './checker.ts'
import type { Draft } from '../draft.ts'

const call = 'POST /v1/validate-ffmpeg-command'
const usable = aDraft({ commands: ['-i {{in_1}} {{out_1}}'] })
const unknownAlias = aDraft({ commands: ['-i {{in_1}} -i {{in_2}} {{out_1}}'] })
const fine = { errors: [], warnings: [], plan_error: null }
const vcpuMistake = {
  loc: ['body', 'vcpu_count'],
  msg: 'must be a whole number',
  type: 'int_parsing',
}

describe('the check of a draft', () => {
  let service: ScriptedService
  let draft: Signal<Draft>
  let checker: Checker
  const texts = () => checker.problems.value.map(({ text }) => text)
  const checks = () => service.requests.filter((one) => one.startsWith(call)).length
  /** The user types, and pauses. */
  const typed = async (next: Draft) => {
    draft.value = next
    await service.clock.advance(400)
    await service.settle()
  }
  beforeEach(async () => {
    service = scriptedService()
    service.on(call, () => fine)
    draft = signal(emptyDraft)
    checker = createChecker(service.client, draft, service.clock)
    // The rules of the text are loaded apart.
    await import('../../../common/command-line/plan/source-mistakes.ts')
    await service.settle()
  })
  afterEach(() => checker.close())

  it('sends no check of a draft without a command', async () => {
    await typed(aDraft({ commands: [' ', '\n'] }))
    expect(checks()).to.equal(0)
    expect(checker.isChecked.value).to.equal(true)
    expect(texts()).to.deep.equal([])
  })

  it('sends one check, 400 ms after the last key stroke', async () => {
    for (const text of ['-', '-i', '-i {{in_1}} {{out_1}}']) {
      draft.value = aDraft({ commands: [text] })
      await service.clock.advance(399)
    }
    expect(checks()).to.equal(0)
    expect(checker.isChecked.value).to.equal(false)
    await service.clock.advance(1)
    await service.settle()
    expect(checks()).to.equal(1)
    expect(service.bodies[0]).to.include({ ffmpeg_command: '-i {{in_1}} {{out_1}}' })
    expect(checker.isChecked.value).to.equal(true)
  })

  it('shows a mistake of the text before the service has answered', () => {
    draft.value = unknownAlias
    expect(texts()[0]).to.match(/^Unknown alias 'in_2'/)
    draft.value = usable
    expect(texts()).to.deep.equal([])
  })

  it('shows the answer of the service in place of the own check, errors before warnings', async () => {
    const errors = [
      { loc: ['body', 'ffmpeg_command'], msg: 'Said by the service', type: 'value_error' },
    ]
    service.on(call, () => ({ ...fine, errors, warnings: ['A warning in command 0'] }))
    await typed(unknownAlias)
    expect(checker.problems.value.map(({ text, tone }) => [text, tone])).to.deep.equal([
      ['Said by the service', 'bad'],
      ['A warning in command 0', 'warning'],
    ])
  })

  it('omits the answer of the service when the draft has changed since it was sent', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    service.on(call, () => promise)
    await typed(usable)
    draft.value = aDraft({ commands: ['-i {{in_1}} -an {{out_1}}'] })
    resolve({ ...fine, plan_error: 'of the older draft' })
    await service.settle()
    expect(checker.planError.value).to.equal(null)
    expect([checker.isChecked.value, checker.isAway.value]).to.deep.equal([false, false])
  })

  it('keeps problems of options until the service answers again, and drops those of the text at once', async () => {
    const errors = [
      vcpuMistake,
      { loc: ['body', 'ffmpeg_command'], msg: 'Old text', type: 'value_error' },
    ]
    service.on(call, () => ({ ...fine, errors }))
    await typed(usable)
    service.on(call, () => fine)
    draft.value = aDraft({ commands: ['-i {{in_1}} -an {{out_1}}'] })
    expect(texts()).to.deep.equal(['must be a whole number'])
    await service.clock.advance(400)
    await service.settle()
    expect(texts()).to.deep.equal([])
  })

  it('reports an alias that a draft has twice although the service finds nothing wrong', async () => {
    await typed(aDraft({ ...usable, inputs: [anInput(), anInput()] }))
    expect(checker.problems.value).to.deep.equal([
      {
        tone: 'bad',
        field: { kind: 'input', alias: 'in_1' },
        text: "The alias 'in_1' stands here twice; give one of them another name.",
        at: null,
        remedy: null,
      },
    ])
  })

  it('sends a likely URL for a file without one: by its name, that of the recipe, or the alias', async () => {
    const inputs = [
      anInput({ alias: 'in_1', file: aStoredFile({ name: 'a b.mov', upload: 'u1' }) }),
      anInput({ alias: 'in_2', hint: 'logo.png' }),
      anInput({ alias: 'in_3' }),
      anInput({ alias: 'in_4', url: 'https://media.example/d' }),
    ]
    await typed(aDraft({ inputs, commands: ['{{in_1}} {{in_2}} {{in_3}} {{in_4}}'] }))
    expect(service.bodies[0]).to.deep.include({
      input_files: {
        in_1: 'https://upload.example/a%20b.mov',
        in_2: 'https://upload.example/logo.png',
        in_3: 'https://upload.example/in_3',
        in_4: 'https://media.example/d',
      },
    })
  })

  it('reports that the service is away when it does not answer, and keeps the own check', async () => {
    service.on(call, () => Promise.reject(new TypeError('fetch failed')))
    draft.value = unknownAlias
    // The client of the API tries five times.
    await service.clock.advance(30_000)
    await service.settle()
    expect(checker.isAway.value).to.equal(true)
    expect(checker.isChecked.value).to.equal(false)
    expect(texts()[0]).to.match(/^Unknown alias 'in_2'/)
    service.on(call, () => fine)
    await typed(usable)
    expect(checker.isAway.value).to.equal(false)
  })

  it('returns a refusal of the plan apart from the problems, from an answer and from a status 403', async () => {
    service.on(call, () => ({ ...fine, plan_error: 'Plan free has no chains' }))
    await typed(usable)
    expect([checker.planError.value, texts()]).to.deep.equal(['Plan free has no chains', []])
    service.on(call, () => status(403, 'Plan free has no private files'))
    await typed(aDraft({ ...usable, zip: '' }))
    expect([checker.planError.value, texts()]).to.deep.equal(['Plan free has no private files', []])
  })

  it('reports any other refusal of a check as a problem of the whole draft', async () => {
    service.on(call, () => status(500, 'Internal error'))
    await typed(usable)
    expect(checker.problems.value[0]).to.deep.include({
      field: { kind: 'whole' },
      text: 'Internal error.',
    })
    expect(checker.isAway.value).to.equal(false)
  })

  it('reports a refused submission at the field of its mistake until the draft changes', async () => {
    await typed(usable)
    const mistakes = [{ ...vcpuMistake, type: 'int_parsing' as const }]
    checker.refuse(
      new ApiError({
        status: 422,
        detail: 'x',
        mistakes,
        retryAfterSeconds: null,
        requestId: null,
      }),
    )
    expect(checker.problems.value[0]?.field).to.deep.equal({ kind: 'option', name: 'vcpu_count' })
    await typed(aDraft({ ...usable, zip: null }))
    expect(texts()).to.deep.equal([])
  })

  it('sends no check after the playground was left', async () => {
    draft.value = usable
    checker.close()
    await service.clock.advance(10_000)
    expect(checks()).to.equal(0)
  })
})

describe('inputs that the service has deleted', () => {
  const id = '0197a3f1-6c1e-7b52-9a51-2f5f0c9d1e01'
  const url = `https://s3.example/bucket/private/${id}/${id}/film.mov`
  let service: ScriptedService
  let draft: Signal<Draft>
  let checker: Checker
  beforeEach(() => {
    service = scriptedService()
    service.on(call, () => fine)
    draft = signal(aDraft({ ...usable, inputs: [anInput({ url })] }))
    checker = createChecker(service.client, draft, service.clock)
  })
  afterEach(() => checker.close())

  it('reports an input that the service has deleted until the input has another file', async () => {
    service.on(`GET /v1/files/${id}`, () => aFile({ is_deleted: true }))
    expect(await checker.hasFiles()).to.equal(false)
    expect(checker.problems.value[0]).to.deep.include({
      tone: 'bad',
      field: { kind: 'input', alias: 'in_1' },
      text: 'The service has deleted this file. Upload it again, or give the input another one.',
    })
    draft.value = aDraft({ ...usable, inputs: [anInput({ url: 'https://media.example/a' })] })
    expect(checker.problems.value).to.deep.equal([])
    expect(await checker.hasFiles()).to.equal(true)
  })

  it('reports no deleted input when the file is there, or is not one of this account', async () => {
    service.on(`GET /v1/files/${id}`, () => aFile())
    expect(await checker.hasFiles()).to.equal(true)
    service.on(`GET /v1/files/${id}`, () => status(404, 'no such file'))
    expect(await checker.hasFiles()).to.equal(true)
    expect(checker.problems.value).to.deep.equal([])
  })

  it('looks for deleted inputs only where a URL is one of the storage of the service', async () => {
    draft.value = aDraft({ ...usable, inputs: [anInput({ url: 'https://media.example/a.mov' })] })
    expect(await checker.hasFiles()).to.equal(true)
    expect(service.requests.filter((one) => one.startsWith('GET'))).to.deep.equal([])
  })
})
