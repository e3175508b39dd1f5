/**
 * @param expected what both logs have to say
 * @returns the analyses that the service's log lacks, in words
 */
export function missingAnalyses(
  plain: string,
  service: string,
  expected: readonly string[],
): string[] {
  const [theirs, ours] = [readAnalyses(plain), readAnalyses(service)]
  const lost = theirs.filter((line) => !ours.includes(line))
  const unread = expected.filter((words) => !theirs.some((line) => line.includes(words)))
  return [...lost, ...unread].map((line) => `the log lacks: ${line}`)
}

/**
 * The lines of FFmpeg's log that people run a command for: what filters and their summaries print.
 * Addresses are left out, and what encoders say of themselves.
 */
function readAnalyses(log: string): string[] {
  return log
    .split(/[\r\n]+/)
    .map((line) => line.replaceAll(/ @ 0x[0-9a-f]+/g, '').trimEnd())
    .filter((line) => analysis.test(line) && !printedByRace.test(line))
}

/** Plain FFmpeg 7.1 itself printed this verdict in 4 of 30 runs of one command: its two sinks race for the end. */
const printedByRace = /^\[Parsed_signature_\d+\] (?:no )?matching of video/

const analysis = new RegExp(
  [
    String.raw`^\[(?:Parsed_\w+|silencedetect|blackdetect|blackframe|cropdetect|scdet|volumedetect|freezedetect|ebur128|psnr|ssim)[^\]]*\] ?\S`,
    // loudnorm's JSON and summary, and those of ebur128
    String.raw`^\t?"\w+" : `,
    String.raw`^(?:Input|Output) (?:Integrated|True Peak|LRA|Threshold)`,
    String.raw`^ +(?:I|LRA|Threshold|LRA low|LRA high|Peak): `,
  ].join('|'),
)
