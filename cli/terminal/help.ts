import { texts } from './help-texts.ts'

export const overview = `Runs FFmpeg commands in a Cloud FFmpeg service.

  cloud-ffmpeg run -i clip.mov -o small.mp4 '-i {{in}} -vf scale=-2:480 {{out}}'
  cloud-ffmpeg run ffmpeg -i clip.mov -vf scale=-2:480 small.mp4

  run        upload local inputs, run the command, download the outputs
  rerun      run a command again, changed or not
  validate   check a command without running it
  list       the newest commands
  status     a command's state, outputs or error
  show       the whole command as it was submitted
  logs       what FFmpeg wrote; -f follows it
  cancel     end a command, or all that are queued
  download   the outputs of a command
  open       the console's page of a command
  files      list, get, delete, upload, download
  webhooks   where events go; set, test, list, redeliver, listen
  keys       list and revoke the keys of the account
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
line, 3 the service does not answer now, 130 ended by Ctrl-C.
`

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

/** What may follow a command at once, such as `list` and `delete` after `files`. */
export function secondWordsOf(command: string): string[] {
  const found = helpFor(command).matchAll(new RegExp(`^cloud-ffmpeg ${command} ([a-z|]+)`, 'gm'))
  return [...new Set(Array.from(found, ([, words = '']) => words.split('|')).flat())].toSorted()
}
