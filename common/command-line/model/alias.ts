/** Prefixes decide what an alias is: a file that is fetched or one that is made. */
const input = /^in_[A-Za-z0-9_]+$/
const output = /^out_[A-Za-z0-9_]+$/
const lengthLimit = 64

export function isInputAlias(alias: string): boolean {
  return input.test(alias)
}

export function isOutputAlias(alias: string): boolean {
  return output.test(alias)
}

/** Mistake in a key of `input_files`; null when there is none. */
export function inputAliasProblem(alias: string): string | null {
  return problem(alias, isInputAlias(alias), 'in_1')
}

/** Mistake in a key of `output_files`; null when there is none. */
export function outputAliasProblem(alias: string): string | null {
  return problem(alias, isOutputAlias(alias), 'out_1')
}

function problem(alias: string, fits: boolean, example: string): string | null {
  const prefix = example.slice(0, -1)
  if (!fits) {
    return `Alias '${alias}' must begin with '${prefix}' and go on with letters, digits or '_', as in '${example}'`
  }
  return alias.length > lengthLimit
    ? `Alias '${alias}' is longer than ${lengthLimit} characters`
    : null
}
