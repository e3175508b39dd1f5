import { writeFile } from 'node:fs/promises'
import { expect } from 'chai'
import { useFolder } from '../../../testing/support/mocha.ts'
import { makeFifo } from '../streamed/make-fifo.ts'
import { unfitInput } from './unfit-input.ts'
import type { StepPlan } from '../../../common/command-line/model/plan.ts'

describe('unfitInput', () => {
  const at = useFolder()
  const step = { reads: ['in_1', 'in_2'] } as unknown as StepPlan
  const inputPaths = { in_1: 'a.mp4', in_2: 'b.mp4' }
  const failed = (tail = '') =>
    unfitInput({ step, tail, isInvalid: true, work: at('.'), inputPaths })

  it('an input that is empty or a web page is named, and a damaged one is left to FFmpeg', async () => {
    await writeFile(at('a.mp4'), 'not media')
    await writeFile(at('b.mp4'), '<!doctype html><html>')
    expect(failed()).to.equal('in_2 is a web page (HTML), not media')
    expect(failed('Error opening input file ../in/in_1')).to.equal(null)
    await writeFile(at('a.mp4'), '')
    expect(failed()).to.equal('in_1 is empty (0 bytes)')
  })

  it('an input that still arrives by a pipe is passed over, whose open would wait for its writer', async () => {
    await makeFifo(at('piped'))
    const piped = { step, tail: '', isInvalid: true, work: at('.'), inputPaths: { in_1: 'piped' } }
    expect(unfitInput(piped)).to.equal(null)
  })
})
