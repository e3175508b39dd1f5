import { spawn } from 'node:child_process'
import type { CommandPlan, CommandSubmission } from '../../common/command-line/model/plan.ts'

export interface PlainRun {
  readonly code: number | null
  readonly log: string
}

/**
 * Runs commands as their authors do: through bash in the working folder, with FFmpeg of the runner
 * image and nothing of the service around it. `job` holds the folders `in` and `work`.
 */
export async function runPlainly(
  commands: readonly string[],
  { root, job }: { readonly root: string; readonly job: string },
): Promise<PlainRun> {
  const text = commands.map((command) => withProgram(command)).join(' &&\n')
  return inNamespace(enter, [root, job, text])
}

/** The text with its files written out as the service names them. */
export function plainText(
  command: string,
  inputPaths: Readonly<Record<string, string>>,
  submission: CommandSubmission,
): string {
  const outputs = submission.outputs === 'OUTPUT_FOLDER' ? {} : submission.outputs
  return command.replaceAll(
    /\\?\{\\?\{ *([A-Za-z0-9_]+) *\\?\}\\?\}|<<([a-z0-9_]+)>>/g,
    (placeholder: string, braced: string | undefined, angled: string | undefined) => {
      const alias = braced ?? angled ?? ''
      return inputPaths[alias] ?? outputs[alias] ?? placeholder
    },
  )
}

/** Folders that people make before they run the command. A playlist's own one is the service's. */
export function plainFolders(plan: CommandPlan): string[] {
  const own = plan.outputs.flatMap(({ folder }) => (folder === null ? [] : [folder]))
  return plan.steps
    .flatMap(({ folders }) => folders)
    .filter((folder) => !own.some((each) => folder === each || folder.startsWith(`${each}/`)))
}

/** Answers of ffprobe about files below two jobs, one a file; empty where it cannot read one. */
export async function probeBoth(
  files: readonly string[],
  { root, plain, service }: { readonly root: string; plain: string; service: string },
): Promise<{ plain: string; service: string }[]> {
  if (files.length === 0) return []
  const { log } = await inNamespace(probe, [root, plain, service, ...files])
  const answers = log.split('\u001e')
  return files.map((_, index) => ({
    plain: answers[2 * index] ?? '',
    service: answers[2 * index + 1] ?? '',
  }))
}

function withProgram(command: string): string {
  return /^\s*(?:\S*\/)?ffmpeg(?:\.exe)?\s/.test(command)
    ? command.replace(/^\s*\S*ffmpeg(?:\.exe)?/, 'ffmpeg')
    : `ffmpeg ${command}`
}

function inNamespace(script: string, args: readonly string[]): Promise<PlainRun> {
  const child = spawn(
    'unshare',
    [
      // what the shell has started ends with it: an FFmpeg that goes on would hold the pipes open
      '--mount',
      '--propagation',
      'private',
      '--pid',
      '--fork',
      '--kill-child',
      'bash',
      '-c',
      script,
      'bash',
      ...args,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], timeout: 90_000 },
  )
  let log = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      log += chunk
    })
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, log }))
  })
}

const mounts = `
set -e
mount --bind "$root" "$root"
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
`

const enter = `
export root=$1 job=$2 text=$3
${mounts}
mount --bind "$job" "$root/job"
ffmpeg() { unshare --root "$root" --wd /job/work /usr/bin/ffmpeg -y -nostdin -nostats "$@"; }
export -f ffmpeg
cd "$job/work"
exec bash -c "$text"
`

const probe = `
export root=$1 plain=$2 service=$3
shift 3
${mounts}
mount --bind "$plain" "$root/job"
mount --bind "$service" "$root/link"
set +e
for file in "$@"; do
  for job in /job /link; do
    unshare --root "$root" /usr/bin/ffprobe -v error -of json -count_packets -show_streams -show_format -show_chapters "$job/work/$file" 2>/dev/null
    printf '\\036'
  done
done
`
