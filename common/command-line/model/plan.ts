import type { WantedLog } from './log-level.ts'

/** Texts of a caller and the declarations of the submission beside them. */
export type CommandSubmission = {
  /** 1 to 10 command lines, as sent. */
  commands: readonly string[]
  /** Keys of `input_files`; empty with a zip. */
  inputAliases: readonly string[]
  /** `output_files`: alias to file name, or the word for "every file that the command makes". */
  outputs: Readonly<Record<string, string>> | 'OUTPUT_FOLDER'
  /** True when a zip is unpacked into the working directory, so that bare names can be inputs. */
  inputFolder: boolean
  /** True for the chained form. */
  chained: boolean
}

export type PlanResult = { ok: true; plan: CommandPlan } | { ok: false; errors: CommandError[] }

export type CommandErrorType = 'command_syntax' | 'command_alias' | 'command_forbidden'

/** A mistake of one command, ready for an error body. */
export type CommandError = {
  /** Index of the command; null when the submission as a whole is at fault. */
  command: number | null
  type: CommandErrorType
  message: string
  /** Slice of the command as sent, at most 200 characters. */
  token: string | null
  /** Start of the token: 1-based, in Unicode characters of the command as sent. */
  position: number | null
}

export type CommandPlan = {
  steps: StepPlan[]
  /** The `in_*` to fetch, in order of declaration. */
  usedInputs: string[]
  /** Every declared output in order of declaration; empty with OUTPUT_FOLDER. */
  outputs: PlannedOutput[]
}

export type PlannedOutput = {
  alias: string
  name: string
  /** Relative to the working directory. */
  path: string
  /** The playlist's own folder in the working directory; null for a plain file. */
  folder: string | null
  /** Index of the step that writes it. */
  step: number
}

/** One FFmpeg command line, understood and allowed. Plain data, safe to serialise. */
export type StepPlan = {
  index: number
  groups: ArgumentGroup[]
  /** Options accepted and left out, as written: `-y`, `-loglevel debug`. */
  dropped: string[]
  /** Order of appearance. */
  placeholders: PlaceholderUse[]
  /** Aliases whose files the step reads, `in_*` and `out_*`. */
  reads: string[]
  /** `out_*` aliases that the step writes. */
  writes: string[]
  /** Folders that must exist below the working directory before the step starts. */
  folders: string[]
  /** The file that FFmpeg's log is stored as, as `2> {{out_1}}` names it; null for the logs alone. */
  log: StoredLog | null
  /** Inputs that it reads as a folder of fonts, which has to be made of each. */
  fontFolders: string[]
  /** True when it reads or writes files by undeclared names: bare names, pass logs. */
  usesWorkingFiles: boolean
  /** Earlier steps that must have ended before this one starts. */
  dependsOn: number[]
}

/** `path`: relative to the working directory. */
export type StoredLog = WantedLog & { path: string }

/** `reference`: in the value of an option or a filter, which may read the file. */
export type PlaceholderRole = 'input' | 'output' | 'reference'

export type PlaceholderUse = {
  alias: string
  role: PlaceholderRole
  /** 1-based, in Unicode characters of the command as sent. */
  position: number
}

/** Options with the file that they belong to, as FFmpeg groups them: those before an `-i` or an output. */
export type ArgumentGroup = {
  kind: 'input' | 'output' | 'trailing'
  options: PlannedOption[]
  /** File name, graph of sources, `concat:` list or legs of `tee`; null only for trailing options. */
  target: PlannedText | null
  /** Alias of the file, when it has one alone. */
  alias: string | null
  /** Value of the group's `-f`, lower case. */
  format: string | null
}

export type PlannedOption = {
  /** Flag as written: `-c:v`. */
  flag: string
  /** Without dash and stream specifier: `c`. */
  name: string
  value: PlannedText | null
}

/** Literal text, and the places where an input's path goes. Paths of outputs are literal already. */
export type PlannedText = readonly (string | { readonly input: string })[]
