import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Opens a page in the browser of this machine. @returns false where none could be started */
export async function openPage(url: string, platform: string): Promise<boolean> {
  const opener = openers[platform] ?? 'xdg-open'
  return (await run(opener, [url], 'ignore').catch(() => 1)) === 0
}

/** `start` of Windows is a word of its shell, which would read `&` in a URL. */
const openers: Readonly<Record<string, string>> = { darwin: 'open', win32: 'explorer' }

/**
 * Lets the user change a text. The file may hold URLs that open private files, so its folder is the user's own.
 * @param editor with its arguments, as in the variable EDITOR
 */
export async function editText(text: string, name: string, editor: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'cloud-ffmpeg-'))
  const file = path.join(folder, name)
  try {
    await writeFile(file, text, { mode: 0o600 })
    const [program = 'vi', ...args] = editor.split(/\s+/).filter((part) => part !== '')
    const code = await run(program, [...args, file], 'inherit')
    if (code !== 0) throw new Error(`the editor '${editor}' ended with ${code}`)
    return await readFile(file, 'utf8')
  } finally {
    await rm(folder, { recursive: true })
  }
}

function run(
  program: string,
  args: readonly string[],
  stdio: 'ignore' | 'inherit',
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio })
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 1))
  })
}
