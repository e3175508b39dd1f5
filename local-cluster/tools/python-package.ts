import path from 'node:path'
import { runCommand, succeeds } from '../host/run-command.ts'
import { cached } from './cached.ts'
import { installMissing } from './debian-packages.ts'
import type { ClusterSettings } from '../host/settings.ts'
import type { Say } from '../host/progress.ts'

/** Answers a Python that has this package and what it needs. */
export async function pythonPackage({
  name,
  version,
  settings,
  say,
}: {
  readonly name: string
  readonly version: string
  readonly settings: ClusterSettings
  readonly say: Say
}): Promise<string> {
  const what = `installing ${name}`
  const folder = await cached(
    { key: `${name}-${version}`, what, usually: '20 to 60 s', settings, say },
    async (partial, onLine) => {
      await runCommand(await pythonWithVenv(say), ['-m', 'venv', partial], { onLine })
      const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check']
      const wanted = `${name}==${version}`
      await runCommand(path.join(partial, 'bin/python'), [...pip, wanted], { onLine })
    },
  )
  return path.join(folder, 'bin/python')
}

/** Debian's own Python comes without what a virtual environment needs. */
async function pythonWithVenv(say: Say): Promise<string> {
  if (await succeeds('python3', ['-m', 'ensurepip', '--version'])) return 'python3'
  await installMissing([['/usr/share/doc/python3-venv', 'python3-venv']], say)
  return '/usr/bin/python3'
}

/** Answers a Python that has schemathesis: `PYTHON -m schemathesis.cli …`. */
export function schemathesisPython(options: {
  readonly settings: ClusterSettings
  readonly say: Say
}): Promise<string> {
  return pythonPackage({ name: 'schemathesis', version: '4.32.5', ...options })
}

/** Answers a Python that has mypy: `PYTHON -m mypy …`. */
export function mypyPython(options: {
  readonly settings: ClusterSettings
  readonly say: Say
}): Promise<string> {
  return pythonPackage({ name: 'mypy', version: '2.4.1', ...options })
}

/** Answers a Python that has the AWS command line: `PYTHON -m awscli s3 cp …`. */
export function awsPython(options: {
  readonly settings: ClusterSettings
  readonly say: Say
}): Promise<string> {
  return pythonPackage({ name: 'awscli', version: '1.46.3', ...options })
}
