import { expect } from 'chai'
import { copyAs, copyForms } from '../command/copy-as.ts'
import { aDraft, anInput } from './any-draft.fixture.ts'
import { usualOptions } from './draft.ts'
import { shownRequest } from './shown-request.ts'
import type { CopyForm } from '../command/copy-as.ts'

const url = 'https://ffmpeg.example/'
const draft = aDraft({ commands: ['-i {{in_1}} {{out_1}}'] })

describe('the request that "Show as" shows', () => {
  it('returns an example in place of a missing file, named by the recipe or the alias', () => {
    const inputs = [
      anInput({ hint: 'film.mp4' }),
      anInput({ alias: 'in_2' }),
      anInput({ alias: 'in_3', url: 'https://media.example/c.mov' }),
    ]
    expect(
      shownRequest(aDraft({ inputs, commands: ['{{in_1}} {{in_2}} {{in_3}}'] })).input_files,
    ).to.deep.equal({
      in_1: 'https://media.example/film.mp4',
      in_2: 'https://media.example/in_2',
      in_3: 'https://media.example/c.mov',
    })
  })

  it('makes no form that holds an undefined value when the options are left to the service', () => {
    const drafts = [
      draft,
      aDraft({ ...draft, outputs: null }),
      aDraft({ ...draft, zip: 'https://media.example/a.zip' }),
      aDraft({ commands: ['-i {{in_1}} {{out_1}}', '-i {{out_1}} {{out_2}}'] }),
    ]
    for (const form of Object.keys(copyForms) as CopyForm[]) {
      for (const [index, one] of drafts.entries()) {
        const text = copyAs(form, shownRequest(one), url)
        expect(text, `${form} of draft ${index}`).not.to.match(/undefined|\bnull,|: null/)
      }
    }
  })

  it('makes options of the command line tool for those of the draft alone', () => {
    expect(copyAs('cli', shownRequest(draft), url)).not.to.match(
      /--(vcpu|timeout|priority|private)/,
    )
    const options = {
      ...usualOptions,
      vcpus: '4',
      seconds: '60',
      priority: 'high' as const,
      isPrivate: true,
      presignedTtl: '3600',
    }
    const text = copyAs('cli', shownRequest({ ...draft, options }), url)
    for (const option of [
      '--vcpu 4',
      '--timeout 60',
      '--priority high',
      '--private',
      '--presigned-ttl 3600',
    ]) {
      expect(text).to.contain(option)
    }
  })
})
