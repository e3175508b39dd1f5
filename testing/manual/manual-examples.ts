/** Command lines among the examples of a manual page, each as one would paste it, lines and quotes kept. */
export function exampleCommands(page: string): string[] {
  return preformatted(page).flatMap(commandsIn)
}

/** Examples that show no command line: filter graphs for the most part, sometimes one a line. */
export function otherExamples(page: string): string[] {
  return preformatted(page)
    .filter((text) => !beginning.test(text))
    .map((text) => text.replaceAll('\\\n', ''))
}

function preformatted(page: string): string[] {
  return Array.from(page.matchAll(/<pre[^>]*>(.*?)<\/pre>/gs), ([, inner = '']) => textOf(inner))
}

/** The markup of makeinfo: elements, and these entities. */
function textOf(html: string): string {
  return html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&')
    .replace(/^\n|\n$/g, '')
}

/**
 * FFmpeg itself, with what people write in front of it, the rest of a command without its program,
 * and ffplay where it shows a graph that FFmpeg reads in the same way.
 */
const beginning =
  /^[ \t]*(?:(?:[$%] |[A-Z]+=\S+ |\{ |.*\| )?(?:\.\/)?ffmpeg(?=\s)|(?=-(?:i|init_hw_device) .*OUTPUT$)|ffplay (?:-dumpgraph 1 )?(?=-f lavfi))/m
/** A line that begins something else than the rest of the command above it. */
const other =
  /^\s*(?:$|#|\$ |% |wait$|rm |(?:\.\/)?(?:ff(?:mpeg|play|probe)|cat|exiftran|gnuplot|sort|wget)\s|\.\.\.$|\[1\]\s+\+)/

/** Examples break a long command with or without a backslash, so it goes on to the next beginning. */
function commandsIn(text: string): string[] {
  const commands: string[] = []
  let isOpen = false
  for (const line of text.split('\n')) {
    const found = beginning.exec(line)
    if (found !== null) {
      commands.push(`ffmpeg ${line.slice(found[0].length).trim()}`)
      isOpen = true
    } else if (other.test(line) || !isOpen) {
      isOpen = false
    } else {
      commands.push(`${commands.pop() ?? ''}\n${line}`)
    }
  }
  return commands.map(withInputOption)
}

/** ffplay takes its input, here a graph or the name that stands for one, without `-i`. */
function withInputOption(command: string): string {
  return command
    .trim()
    .replace(/^(ffmpeg -f lavfi -graph "[^"]*") (?=\w+$)/, '$1 -i ')
    .replace(/^(ffmpeg -f lavfi)\s+(?=[^-\s])/, '$1 -i ')
}
