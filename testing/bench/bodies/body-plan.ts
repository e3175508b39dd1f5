import type { BodyPlan } from './measure-bodies.ts'
import { longWorkloads, shortWorkloads } from './workloads.ts'

const overlapped = { inputs: true, outputs: true }
const inSequence = { inputs: false, outputs: false }
const onlyInputs = { inputs: true, outputs: false }
const onlyOutputs = { inputs: false, outputs: true }

/** Short: a few minutes, one visit of each form. */
export function bodyPlan(short: boolean): BodyPlan {
  const there = [overlapped, onlyInputs, onlyOutputs, inSequence]
  return {
    workloads: short ? shortWorkloads : longWorkloads,
    rates: [6, 60],
    forms: short ? [overlapped, inSequence] : [...there, ...there.toReversed(), ...there],
  }
}
