export const overview = `Runs FFmpeg commands in a Cloud FFmpeg service.

  cloud-ffmpeg run -i clip.mov -o small.mp4 '-i {{in}} -vf scale=-2:480 {{out}}'

  run        upload local inputs, run the command, download the outputs
  validate   check a command without running it
  list       the newest commands
  status     a command's state, outputs or error
  show       the whole command as it was submitted
  logs       what FFmpeg wrote; -f follows it
  cancel     end a command
  files      list, get, delete, upload, download
  usage      what the account has used and may use
  login      keep the address and the key of a service as a profile
  logout     forget a profile
  profiles   list them
  use        choose the one that calls use
  doctor     find what keeps calls from working
  completion a script for bash, zsh or fish

CLOUD_FFMPEG_URL is the address of the service, CLOUD_FFMPEG_API_KEY a key of your account; without them the
current profile is used, and 'cloud-ffmpeg -P NAME COMMAND' uses another.
COMMAND_ID may be the first or last characters of an id.
'cloud-ffmpeg COMMAND --help' shows more. Exit codes: 0 done, 1 failed or refused, 2 wrong command
line, 130 ended by Ctrl-C.
`

const job = `  -i, --input [NAME=]FILE|URL  an input, in_…; files of this machine are uploaded
  -o, --output [NAME=]FILE     an output, out_…, and where it goes; out_playlist_…=x.m3u8 for HLS;
                               OUTPUT_FOLDER=x.zip for all files that the command creates
      --input-zip FILE|URL     a zip archive with the inputs, in place of -i
      --vcpu NUMBER            vCPUs, 8 if left out; lowered to the plan's maximum
      --timeout SECONDS        longest run of each FFmpeg command, 300 if left out
      --private                store the outputs so that only presigned URLs open them
      --priority PRIORITY      low, normal or high: order among your own waiting commands
      --metadata KEY=VALUE     returned with the command's record; up to ten`

const texts: Readonly<Record<string, string>> = {
  run: `cloud-ffmpeg run [OPTIONS] 'FFMPEG COMMAND'
cloud-ffmpeg run [OPTIONS] -- FFMPEG ARGUMENTS [-- NEXT COMMAND'S ARGUMENTS]...

Files stand in the arguments as {{in_1}} and {{out_1}}. A second '--' begins the next command of a
chain, which may read outputs of the earlier ones. One argument with blanks is a whole command text.

${job}
  -y, --overwrite              replace files that exist
      --no-download            print the outputs' URLs and leave them in storage
      --keep-uploads           leave uploaded inputs in storage; else they are deleted at the end
      --detach                 print the command's id and end; uploaded inputs are left in storage
      --json                   print the command's record

Progress goes to standard error. Ctrl-C cancels the command; an upload that was interrupted goes on
when the same command is run again.
`,
  validate: `cloud-ffmpeg validate [OPTIONS] -- FFMPEG ARGUMENTS [-- NEXT COMMAND'S ARGUMENTS]...

Prints FFmpeg's final arguments, one JSON array per command. Nothing is uploaded, stored or charged.

${job}
      --json                   print the service's whole answer
`,
  list: `cloud-ffmpeg list [OPTIONS]

      --status STATUS          queued, running, failed or done; several with commas
      --since TIME             submitted in the last 30m, 2h, 7d
      --limit NUMBER           20 if left out
      --json                   print the service's whole answer
`,
  status: `cloud-ffmpeg status [--json] COMMAND_ID|--last

Exit code 1 where the command has failed.
`,
  show: `cloud-ffmpeg show [--json] COMMAND_ID|--last

Prints commands, inputs and outputs as they were submitted, in full length.
`,
  logs: `cloud-ffmpeg logs [-f] [--step NUMBER] COMMAND_ID|--last

  -f, --follow                 go on until the command has ended
      --step NUMBER            of one command of a chain, from 0
`,
  cancel: `cloud-ffmpeg cancel COMMAND_ID|--last

Waits until the command has ended.
`,
  files: `cloud-ffmpeg files list [--limit NUMBER] [--offset NUMBER] [--json]
cloud-ffmpeg files get [--presign SECONDS] FILE_ID
cloud-ffmpeg files delete FILE_ID...
cloud-ffmpeg files upload [--private] [--json] PATH
cloud-ffmpeg files download FILE_ID PATH

An upload that was interrupted goes on when it is started again.
`,
  usage: `cloud-ffmpeg usage [--json]
`,
  login: `cloud-ffmpeg login [--profile NAME] [--url URL]

Reads the address, if --url is left out, and an API key, which is not shown. Both are kept under NAME,
'default' if left out, in a file that only you may read, once the service has taken the key.
`,
  logout: `cloud-ffmpeg logout [PROFILE]

Forgets the current profile, or the one that is named, and its key. The key stays valid.
`,
  profiles: `cloud-ffmpeg profiles
`,
  use: `cloud-ffmpeg use PROFILE
`,
  doctor: `cloud-ffmpeg doctor

Checks address, service, key, clock and storage, and says what to do about each problem. Exit code 1 if there is one.
`,
  completion: `cloud-ffmpeg completion bash|zsh|fish

  bash: source <(cloud-ffmpeg completion bash)
  zsh:  source <(cloud-ffmpeg completion zsh)
  fish: cloud-ffmpeg completion fish | source
`,
}

export function helpFor(command: string): string {
  return texts[command] ?? overview
}

export const commandNames = Object.keys(texts)

/** Options that the help of a command names, such as `-f` and `--follow`. */
export function optionsOf(command: string): string[] {
  const found = helpFor(command).matchAll(
    /(?<=^|[\s,[|])(--?[a-z][a-z-]*|-[a-zA-Z])(?=$|[\s,\]|])/gm,
  )
  return [...new Set(Array.from(found, ([option]) => option))].toSorted()
}
