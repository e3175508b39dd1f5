import { sandboxModes } from '../link/messages.ts'
import { architectureNames } from './sandbox/seccomp.ts'
import type { SupervisorSettings } from './supervisor.ts'

/**
 * @param values of the container's arguments
 * @throws naming the argument and what it takes
 */
export function supervisorSettings(
  values: { readonly sandbox: string; readonly 'max-pixels': string },
  container: {
    /** Node's name of it. */
    readonly architecture: string
    readonly program: string
  },
): SupervisorSettings {
  const mode = sandboxModes.find((name) => name === values.sandbox)
  if (mode === undefined) {
    throw new Error(`--sandbox '${values.sandbox}': use one of ${sandboxModes.join(', ')}`)
  }
  const maxPixels = Number(values['max-pixels'])
  if (!Number.isInteger(maxPixels) || maxPixels < 1) {
    throw new Error(`--max-pixels '${values['max-pixels']}': use a whole number above 0`)
  }
  const { architecture, program } = container
  if (!architectureNames.some((name) => name === architecture)) {
    throw new Error(`no sandbox for ${architecture}: run on ${architectureNames.join(' or ')}`)
  }
  return {
    mode,
    maxPixels,
    socketPath: '/link/ffmpeg.sock',
    folders: { inputs: '/job/in', work: '/job/work', temporary: '/job/tmp' },
    seccompFilter: `/usr/share/cloud-ffmpeg/seccomp-${architecture}.bpf`,
    outsideFile: program,
    packageList: '/usr/share/doc/packages.tsv',
  }
}
