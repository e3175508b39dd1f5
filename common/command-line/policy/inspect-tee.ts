import { refused, type Finding } from '../model/findings.ts'
import { outputFormatRefusal } from '../grammar/format-policy.ts'
import { companionPath } from './companion-path.ts'
import { inspectOutputFile, type OutputFolder } from './inspect-output-file.ts'
import { inspectNamedFile } from './inspect-named-file.ts'
import { nestedValueProblem } from '../grammar/nested-options.ts'
import { outputCompanionOptions, readOption, workingFileOptions } from '../grammar/option-table.ts'
import type { Insertion } from '../model/planned-text.ts'
import { originOf, type Reading } from '../read/reading.ts'
import type { SubmittedFiles } from '../model/submitted-files.ts'
import { parseTee, type TeeLeg, type TeeOption } from '../grammar/tee.ts'

/** Each leg of `tee` is an output of its own, with its own options. */
export function inspectTee(
  reading: Reading,
  files: SubmittedFiles,
): { findings: Finding[]; insertions: Insertion[] } {
  const parsed = parseTee(reading.text)
  if (!parsed.ok) {
    const range = originOf(reading, parsed.at, parsed.at + 1)
    const finding = refused(
      'command_syntax',
      range,
      (place) => `Legs of tee not understood at ${place}: ${parsed.reason}`,
    )
    return { findings: [finding], insertions: [] }
  }
  const legs = parsed.legs.map((leg) => inspectLeg(leg, reading, files))
  return {
    findings: legs.flatMap(({ findings }) => findings),
    insertions: legs.flatMap(({ insertions }) => insertions),
  }
}

function inspectLeg(
  leg: TeeLeg,
  reading: Reading,
  files: SubmittedFiles,
): { findings: Finding[]; insertions: Insertion[] } {
  const format = leg.options
    .findLast(({ name }) => name === 'f')
    ?.value.trim()
    .toLowerCase()
  const range = originOf(reading, leg.range.from, leg.range.to)
  const target = inspectOutputFile(leg.target, format ?? null, range, files)
  const options = leg.options.map((option) =>
    inspectLegOption(option, target.folder, reading, files),
  )
  return {
    findings: [...options.flatMap(({ findings }) => findings), ...target.findings],
    insertions: options.flatMap(({ insertions }) => insertions),
  }
}

function inspectLegOption(
  option: TeeOption,
  folder: OutputFolder,
  reading: Reading,
  files: SubmittedFiles,
): { findings: Finding[]; insertions: Insertion[] } {
  const valueRange = originOf(reading, option.valueRange.from, option.valueRange.to)
  if (outputCompanionOptions.has(option.name) || workingFileOptions.has(option.name)) {
    const { path, prefix } = companionPath(option.name, option.value, folder)
    const findings = inspectNamedFile(option.value, 'companion', valueRange, files)
    return {
      findings: findings.map((found) => (found.kind === 'file' ? { ...found, path } : found)),
      insertions: prefix === '' ? [] : [{ at: option.valueRange.from, text: prefix }],
    }
  }
  const problem =
    option.name === 'f'
      ? option.value.trim().toLowerCase() === 'tee'
        ? 'is tee within tee; list all files in one'
        : outputFormatRefusal(option.value)
      : nestedValueProblem(option.name, option.value)
  if (problem !== null) {
    const finding = refused('command_forbidden', valueRange, (place) => `${place} ${problem}`)
    return { findings: [finding], insertions: [] }
  }
  const { refusal } = readOption(`-${option.name}`)
  if (refusal === null) return { findings: [], insertions: [] }
  const range = originOf(reading, option.range.from, option.range.to)
  return {
    findings: [refused('command_forbidden', range, (place) => `Option ${place} ${refusal}`)],
    insertions: [],
  }
}
