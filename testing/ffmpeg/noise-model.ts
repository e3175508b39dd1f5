/**
 * A model for the filter `arnndn`, in its text format, that leaves out nothing and adds nothing: all
 * weights are 0.
 */
export function noiseModel(): string {
  const layers = [
    dense(42, 24),
    recurrent(24, 24),
    recurrent(24 + 24 + 42, 48),
    recurrent(24 + 48 + 42, 96),
    dense(96, 22),
    dense(24, 1),
  ]
  return ['rnnoise-nu model file version 1', ...layers.flat(), ''].join('\n')
}

function dense(inputs: number, neurons: number): string[] {
  return [`${String(inputs)} ${String(neurons)} 0`, zeros(inputs * neurons), zeros(neurons)]
}

function recurrent(inputs: number, neurons: number): string[] {
  return [
    `${String(inputs)} ${String(neurons)} 0`,
    zeros(3 * inputs * neurons),
    zeros(3 * neurons * neurons),
    zeros(3 * neurons),
  ]
}

function zeros(count: number): string {
  return '0 '.repeat(count).trimEnd()
}
