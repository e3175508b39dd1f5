/** A variable of the dash muxer: `$RepresentationID$`, `$Number%05d$`. */
const variable = /\$\w+(?:%0?\d*d)?\$/

/** Whether a name lies in a folder such as `r$RepresentationID$/`, which FFmpeg does not make. */
export function isInVariableFolder(name: string): boolean {
  return variable.test(name.slice(0, Math.max(0, name.lastIndexOf('/'))))
}
