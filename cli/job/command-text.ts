/**
 * One command string of the arguments that the user's shell has left. The service splits it again,
 * and a token that begins with a quote it reads as a POSIX shell does, also where it holds a filter
 * graph: so each argument arrives as it was typed.
 * @param args a single one with a blank is a whole command that the user has quoted already
 */
export function commandText(args: readonly string[]): string {
  const [only] = args
  if (args.length === 1 && only !== undefined && /\s/.test(only)) return only
  return args.map(quoted).join(' ')
}

function quoted(argument: string): string {
  if (/^[A-Za-z0-9_./:=,+@%^-]+$/.test(argument)) return argument
  // Placeholders are found before quotes are read; bare they keep the text legible.
  if (/^\{\{\w+\}\}$/.test(argument)) return argument
  return `'${argument.replaceAll("'", `'\\''`)}'`
}
