import type { ClusterSettings } from '../host/settings.ts'
import type { Say } from '../host/progress.ts'
import { pythonPackage } from './python-package.ts'

/** Answers a Python that has schemathesis: `PYTHON -m schemathesis.cli …`. */
export function schemathesisPython(options: {
  readonly settings: ClusterSettings
  readonly say: Say
}): Promise<string> {
  return pythonPackage({ name: 'schemathesis', version: '4.32.5', ...options })
}
