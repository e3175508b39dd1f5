import type { ClusterSettings } from '../host/settings.ts'
import type { Say } from '../host/progress.ts'
import { pythonPackage } from './python-package.ts'

/** Answers a Python that has the AWS command line: `PYTHON -m awscli s3 cp …`. */
export function awsPython(options: {
  readonly settings: ClusterSettings
  readonly say: Say
}): Promise<string> {
  return pythonPackage({ name: 'awscli', version: '1.46.3', ...options })
}
