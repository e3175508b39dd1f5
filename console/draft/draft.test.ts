import { expect } from 'chai'
import fc from 'fast-check'
import { aDraft, anInput, anyDraft, anyRequest, aStoredFile } from './any-draft.fixture.ts'
import {
  chainRefusal,
  draftFrom,
  freeAlias,
  missingFiles,
  repeatedAliases,
  requestOf,
  usualOptions,
  withFile,
} from './draft.ts'
import type { DraftOptions } from './draft.ts'

/** Fields with their defaults, which a request leaves out. */
const defaults: Readonly<Record<string, unknown>> = { is_private: false, priority: 'normal' }

const fieldsOf = (options: Partial<DraftOptions>): Record<string, unknown> => {
  const draft = aDraft({ options: { ...usualOptions, ...options } })
  const {
    ffmpeg_command: _,
    input_files: __,
    output_files: ___,
    ...fields
  } = { ...requestOf(draft) } as Record<string, unknown>
  return fields
}

describe('the request of a draft', () => {
  it('returns the request that the draft was made from, without nulls and defaults, for any request', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const given = Object.entries(request).filter(
          ([name, value]) => value !== null && value !== defaults[name],
        )
        expect(requestOf(draftFrom(request))).to.deep.equal(Object.fromEntries(given))
      }),
    )
  })

  it('sends one command by itself and several as a chain, in the order of the page', () => {
    expect(requestOf(aDraft({ commands: ['a'] }))).to.include({ ffmpeg_command: 'a' })
    expect(requestOf(aDraft({ commands: ['b', 'a', 'b'] })))
      .to.deep.include({ ffmpeg_commands: ['b', 'a', 'b'] })
      .and.not.have.property('ffmpeg_command')
  })

  it('sends the archive in place of the inputs when there is one', () => {
    const inputs = [anInput({ url: 'https://media.example/a.mov' })]
    expect(requestOf(aDraft({ inputs, zip: 'https://media.example/a.zip' })))
      .to.include({ input_compressed_folder: 'https://media.example/a.zip' })
      .and.not.have.property('input_files')
  })

  it('leaves out an input without a file that no command names, so that a command which reads no file can run', () => {
    const generated = aDraft({ commands: ['-f lavfi -i testsrc2 {{out_1}}'] })
    expect(requestOf(generated)).to.deep.include({ input_files: {} })
    expect(missingFiles(generated)).to.deep.equal([])
    const reading = aDraft({ commands: ['-i {{in_1}} {{out_1}}'] })
    expect(requestOf(reading)).to.deep.include({ input_files: { in_1: '' } })
    expect(missingFiles(reading)).to.deep.equal(['in_1'])
    expect(missingFiles({ ...reading, zip: '' })).to.deep.equal(['the zip archive'])
  })

  it('names an input whose file is still uploaded, although no command names it', () => {
    const file = aStoredFile({ upload: 'u1' })
    const inputs = [anInput({ file }), anInput({ alias: 'in_2' })]
    expect(requestOf(aDraft({ inputs, commands: ['x'] }), () => 'later')).to.deep.include({
      input_files: { in_1: 'later' },
    })
  })

  it('sends only options that differ from what the service does by itself', () => {
    expect(fieldsOf({})).to.deep.equal({})
    expect(fieldsOf({ vcpus: ' ', seconds: '\t', ttl: '', webhookUrl: '  ' })).to.deep.equal({})
    expect(
      fieldsOf({ isPrivate: true, presignedTtl: '3600', priority: 'low', ttl: '0' }),
    ).to.deep.equal({
      is_private: true,
      presigned_ttl_seconds: 3_600,
      priority: 'low',
      output_ttl_seconds: 0,
    })
  })

  it('sends a number as a number, and any other text as it was typed for the service to refuse', () => {
    const sent = (text: string) => fieldsOf({ seconds: text })['max_command_run_seconds']
    expect(['60', ' 1.5 ', '007', '0.25'].map(sent)).to.deep.equal([60, 1.5, 7, 0.25])
    for (const text of ['-1', '1e3', '1,5', '.5', '5.', '0x10', 'Infinity', '1 2', 'many']) {
      expect(sent(text), text).to.equal(text)
    }
  })

  it('sends metadata with its types, without pairs that have no key, the last value of a key', () => {
    const metadata = [
      ['a', 1],
      [' ', 'x'],
      ['', true],
      ['b', false],
      ['a', '2'],
    ] as const
    expect(fieldsOf({ metadata })).to.deep.equal({ metadata: { a: '2', b: false } })
    expect(fieldsOf({ metadata: [['', 'x']] })).to.deep.equal({})
  })
})

describe('what a draft still needs', () => {
  it('missingFiles returns aliases that a command reads in any spelling and that have no file', () => {
    const inputs = ['in_1', 'in_2', 'in_3', 'in_4'].map((alias) => anInput({ alias }))
    const draft = aDraft({
      inputs,
      commands: ['-i <<in_1>> {{out_1}}', String.raw`-i \{\{in_3\}\} x`],
    })
    expect(missingFiles(draft)).to.deep.equal(['in_1', 'in_3'])
  })

  it('missingFiles omits a file with a URL or an upload, and returns one whose upload is lost', () => {
    const named = (change: object) =>
      missingFiles(aDraft({ inputs: [anInput(change)], commands: ['{{in_1}}'] }))
    expect(named({ url: 'https://media.example/a' })).to.deep.equal([])
    expect(named({ file: aStoredFile({ upload: 'u1' }) })).to.deep.equal([])
    expect(named({ url: '  ' })).to.deep.equal(['in_1'])
    expect(named({ file: aStoredFile() })).to.deep.equal(['in_1'])
  })

  it('chainRefusal returns why a draft with an archive or a zip of outputs has one command', () => {
    expect(chainRefusal(aDraft())).to.equal(null)
    expect(chainRefusal(aDraft({ outputs: null }))).to.equal('A zip of all files has one command')
    expect(chainRefusal(aDraft({ zip: '' }))).to.equal('A zip archive has one command')
  })
})

describe('aliases of a draft', () => {
  it('freeAlias returns the lowest number that no alias has, for any aliases', () => {
    const alias = fc.integer({ min: 1, max: 9 }).map((number) => `in_${number}`)
    fc.assert(
      fc.property(fc.array(alias), (taken) => {
        const free = freeAlias('in_', taken)
        expect(taken).not.to.include(free)
        const number = Number(free.slice('in_'.length))
        for (let lower = 1; lower < number; lower += 1) expect(taken).to.include(`in_${lower}`)
      }),
    )
  })

  it('repeatedAliases returns each repeated alias of inputs and outputs once', () => {
    const inputs = ['a', 'b', 'b', 'b'].map((alias) => anInput({ alias }))
    const outputs = ['c', 'a'].map((alias) => ({ alias, name: 'x' }))
    expect(repeatedAliases(aDraft({ inputs, outputs }))).to.deep.equal(['b', 'a'])
    expect(repeatedAliases(aDraft({ inputs: [], outputs: null }))).to.deep.equal([])
  })
})

describe('withFile', () => {
  const given = { url: 'https://media.example/a.mov', file: aStoredFile() }
  const draftOf = (...inputs: Parameters<typeof anInput>[0][]) =>
    aDraft({ inputs: inputs.map((one) => anInput(one)) })

  it('withFile fills the first input that has neither a URL nor a file, and keeps its alias and hint', () => {
    const draft = draftOf(
      { alias: 'in_1', url: 'https://media.example/b' },
      { alias: 'in_2', file: aStoredFile({ upload: 'u1' }) },
      { alias: 'logo', url: ' ', hint: 'logo.png' },
      { alias: 'in_4' },
    )
    expect(withFile(draft, given).inputs).to.deep.equal([
      ...draft.inputs.slice(0, 2),
      { alias: 'logo', hint: 'logo.png', ...given },
      draft.inputs[3],
    ])
  })

  it('withFile adds an input with the first free alias when all have files', () => {
    const draft = draftOf({ alias: 'in_1', ...given }, { alias: 'in_3', ...given })
    expect(withFile(draft, given).inputs.at(-1)).to.deep.equal({
      alias: 'in_2',
      hint: null,
      ...given,
    })
  })

  it('withFile removes the archive, since a command reads inputs or an archive', () => {
    expect(withFile(aDraft({ zip: 'https://media.example/a.zip' }), given).zip).to.equal(null)
  })

  it('withFile changes or adds one input and loses no file, for any draft', () => {
    fc.assert(
      fc.property(anyDraft, (draft) => {
        const after = withFile(draft, given)
        const kept = draft.inputs.filter((one) => after.inputs.includes(one))
        expect(after.inputs.length - kept.length).to.equal(1)
        const changed = draft.inputs.filter((one) => !kept.includes(one))
        for (const { url, file } of changed) expect([url.trim(), file]).to.deep.equal(['', null])
        expect({ ...after, inputs: [], zip: null }).to.deep.equal({
          ...draft,
          inputs: [],
          zip: null,
        })
      }),
    )
  })
})
