const job = `  -i, --input [NAME=]FILE|URL  an input, in_…; files of this machine are uploaded
  -o, --output [NAME=]FILE     an output, out_…, and where it goes; out_playlist_…=x.m3u8 for HLS;
                               OUTPUT_FOLDER=x.zip for all files that the command creates
      --input-zip FILE|URL     a zip archive with the inputs, in place of -i
      --vcpu NUMBER            vCPUs, 8 if left out; lowered to the plan's maximum
      --timeout SECONDS        longest run of each FFmpeg command, 300 if left out
      --private                store the outputs so that only presigned URLs open them
      --presigned-ttl SECONDS  with --private: the record has URLs that open them, up to 604800
      --priority PRIORITY      low, normal or high: order among your own waiting commands
      --metadata KEY=VALUE     returned with the command's record; up to ten`

/** Help of each command, by its name. */
export const texts: Readonly<Record<string, string>> = {
  run: `cloud-ffmpeg run [OPTIONS] 'FFMPEG COMMAND'
cloud-ffmpeg run [OPTIONS] -- FFMPEG ARGUMENTS [-- NEXT COMMAND'S ARGUMENTS]...
cloud-ffmpeg run [OPTIONS] ffmpeg FFMPEG'S OWN ARGUMENTS

In the first two forms files stand in the arguments as {{in_1}} and {{out_1}}. A second '--' begins the next command of a
chain, which may read outputs of the earlier ones. One argument with blanks is a whole command text.
In the third, files of this machine and URLs become inputs, and the names that end a group of options become outputs.

${job}
  -y, --overwrite              replace files that exist
      --no-download            print the outputs' URLs and leave them in storage
      --keep-uploads           leave uploaded inputs in storage; else they are deleted at the end
      --dry-run                check the command, with a mark under a mistake; run nothing
      --detach                 print the command's id and end; uploaded inputs are left in storage
      --json                   print the command's record

Progress goes to standard error. Ctrl-C cancels the command; an upload that was interrupted goes on
when the same command is run again.
`,
  rerun: `cloud-ffmpeg rerun [OPTIONS] COMMAND_ID|--last

Submits the request of a command once more, and prints the URLs of the outputs.

      --vcpu NUMBER            with so many vCPUs
      --edit                   change the request in an editor (VISUAL, EDITOR) before
      --detach                 print the command's id and end
      --json                   print the command's record
`,
  validate: `cloud-ffmpeg validate [OPTIONS] -- FFMPEG ARGUMENTS [-- NEXT COMMAND'S ARGUMENTS]...

Prints FFmpeg's final arguments, one JSON array per command. Nothing is uploaded, stored or charged.

${job}
      --json                   print the service's whole answer
`,
  list: `cloud-ffmpeg list [OPTIONS]

      --status STATUS          queued, running, failed or done; several with commas
      --since TIME             submitted in the last 30m, 2h, 7d
      --metadata KEY=VALUE     with this metadata, within 30 days; up to three
      --watch                  show every change, until Ctrl-C
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
  cancel: `cloud-ffmpeg cancel COMMAND_ID|--last|--all-queued

Waits until the command has ended. --all-queued cancels every command that is queued now.
`,
  download: `cloud-ffmpeg download [-d DIR] [-y] COMMAND_ID|--last

  -d, --dir DIR                where the outputs go; here if left out
  -y, --overwrite              replace files that exist
`,
  open: `cloud-ffmpeg open [COMMAND_ID|--last]

Opens the console's page of a command, or its list, in a browser; without a browser it prints the address.
`,
  files: `cloud-ffmpeg files list [--limit NUMBER] [--offset NUMBER] [--json]
cloud-ffmpeg files get [--presign SECONDS] FILE_ID
cloud-ffmpeg files delete FILE_ID...
cloud-ffmpeg files delete --of COMMAND_ID
cloud-ffmpeg files upload [--private] [--json] PATH
cloud-ffmpeg files download FILE_ID PATH

An upload that was interrupted goes on when it is started again.
`,
  webhooks: `cloud-ffmpeg webhooks [--json]
cloud-ffmpeg webhooks set [--event EVENT]... [--rotate-secret] URL
cloud-ffmpeg webhooks test
cloud-ffmpeg webhooks list [--event EVENT] [--command COMMAND_ID] [--limit NUMBER] [--json]
cloud-ffmpeg webhooks redeliver WEBHOOK_ID
cloud-ffmpeg webhooks secret
cloud-ffmpeg webhooks listen [--port NUMBER] [--host ADDRESS] [--json]
cloud-ffmpeg webhooks delete

Events are command.finished, file.stored and file.failed. 'listen' prints the events that arrive at this machine, at
127.0.0.1:8000 if left out, and refuses those whose signature is wrong.
`,
  keys: `cloud-ffmpeg keys list [--json]
cloud-ffmpeg keys revoke KEY_ID

Lists the account's API keys by their beginnings and last use; 'revoke' ends one for good.
`,
  usage: `cloud-ffmpeg usage [--days NUMBER] [--json]

      --days NUMBER            what was used on each of the last days
`,
  login: `cloud-ffmpeg login [--profile NAME] [--url URL]

Reads the address, if --url is left out, and an API key, which is not shown. Both are kept under NAME,
'default' if left out, in a file that only you may read, once the service has taken the key.
`,
  logout: `cloud-ffmpeg logout [PROFILE]

Forgets the current profile, or the one that is named, and its key. The key stays valid.
`,
  profiles: `cloud-ffmpeg profiles

Lists the profiles that 'login' keeps, with their addresses; the current one is marked.
`,
  use: `cloud-ffmpeg use PROFILE

Makes a profile the current one. CLOUD_FFMPEG_URL and CLOUD_FFMPEG_API_KEY, if set, come before it.
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
