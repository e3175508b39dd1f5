import { namedFile, refused } from '../model/findings.ts'
import { outputFormatRefusal } from '../grammar/format-policy.ts'
import { companionPath } from './companion-path.ts'
import { inspectOutputFile, type OutputFolder } from './inspect-output-file.ts'
import { nestedValueProblem } from '../grammar/nested-options.ts'
import { outputCompanionOptions, readOption, workingFileOptions } from '../grammar/option-table.ts'
import { originOf, type Reading } from '../read/reading.ts'
import type { InspectedArgument } from './resolve-argument.ts'
import type { SubmittedFiles } from '../model/step-context.ts'
import { parseTee, type TeeLeg, type TeeOption } from '../grammar/tee.ts'

type InspectedPart = Pick<InspectedArgument, 'findings' | 'insertions'>

/** Each leg of `tee` is an output of its own, with its own options. */
export function inspectTee(reading: Reading, files: SubmittedFiles): InspectedArgument {
  const parsed = parseTee(reading.text)
  if (!parsed.ok) {
    const range = originOf(reading, parsed.at, parsed.at + 1)
    const finding = refused(
      'command_syntax',
      range,
      (place) => `Legs of tee not understood at ${place}: ${parsed.reason}`,
    )
    return { reading, findings: [finding] }
  }
  const legs = parsed.legs.map((leg) => inspectLeg(leg, reading, files))
  return {
    reading,
    findings: legs.flatMap(({ findings }) => findings),
    insertions: legs.flatMap(({ insertions = [] }) => insertions),
  }
}

function inspectLeg(leg: TeeLeg, reading: Reading, files: SubmittedFiles): InspectedPart {
  const format = leg.options
    .findLast(({ name }) => name === 'f')
    ?.value.trim()
    .toLowerCase()
  const range = originOf(reading, leg.range.from, leg.range.to)
  const target = inspectOutputFile(leg.target, format ?? null, range, files)
  const options = leg.options.map((option) => inspectLegOption(option, target.folder, reading))
  return {
    findings: [...options.flatMap(({ findings }) => findings), ...target.findings],
    insertions: options.flatMap(({ insertions = [] }) => insertions),
  }
}

function inspectLegOption(
  { name, value, range, valueRange }: TeeOption,
  folder: OutputFolder,
  reading: Reading,
): InspectedPart {
  const origin = originOf(reading, valueRange.from, valueRange.to)
  if (outputCompanionOptions.has(name) || workingFileOptions.has(name)) {
    const { path, prefix } = companionPath(name, value, folder)
    return {
      findings: [namedFile(value, 'companion', origin, path)],
      insertions: prefix === '' ? [] : [{ at: valueRange.from, text: prefix }],
    }
  }
  const problem =
    name === 'f'
      ? value.trim().toLowerCase() === 'tee'
        ? 'is tee within tee; list all files in one'
        : outputFormatRefusal(value)
      : nestedValueProblem(name, value)
  if (problem !== null) {
    const finding = refused('command_forbidden', origin, (place) => `${place} ${problem}`)
    return { findings: [finding] }
  }
  const { refusal } = readOption(`-${name}`)
  if (refusal === null) return { findings: [] }
  const whole = originOf(reading, range.from, range.to)
  return {
    findings: [refused('command_forbidden', whole, (place) => `Option ${place} ${refusal}`)],
  }
}
