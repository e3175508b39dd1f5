import { finalArgv } from '../../common/command-line/plan/final-argv.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import { planAssignment } from './attempt/plan-assignment.ts'
import { createStorageClient } from './upload/put-bytes.ts'

/** Typical command. */
const example = {
  commands: [
    '-y -ss 1 -i {{in_1}} -vf "scale=640:-2,fps=25" -c:v libx264 -crf 23 -c:a aac {{out_1}}',
  ],
  inputs: [{ alias: 'in_1', url: 'https://media.example/in.mp4', stored: null }],
  inputFolder: null,
  outputs: { out_1: 'out.mp4' },
}

/**
 * Does while the pod waits what takes longest at its first time: Node.js compiles functions at their
 * first call and loads its own modules at their first use.
 */
export function warmUp(clock: Clock): void {
  const { steps } = planAssignment(example)
  const inputPaths = { in_1: '../in/in.mp4' }
  for (const step of steps) finalArgv(step, { inputPaths, vcpuCount: 1, maxPixels: 1 })
  for (const secure of [false, true]) createStorageClient(clock).agentFor(secure).destroy()
}
