import { succeeds } from './run-command.ts'

/**
 * Words before a command that needs root: none for root, `sudo` where it may be used, which reads the password from the
 * terminal. Null where neither is possible.
 */
export async function rootPrefix(): Promise<readonly string[] | null> {
  if (process.getuid?.() === 0) return []
  const mayAsk = process.stderr.isTTY && (await succeeds('sudo', ['--version']))
  if (!mayAsk && !(await succeeds('sudo', ['--non-interactive', 'true']))) return null
  return ['sudo', '--prompt', `[sudo] password of %u, for Cloud FFmpeg on this machine: `]
}
