import pc from 'picocolors';

/** Colours on a terminal that shows them, unless NO_COLOR says otherwise. */
export function colorsFor(
  stream: { readonly isTTY?: boolean } = process.stdout,
  env: NodeJS.ProcessEnv = process.env,
): ReturnType<typeof pc.createColors> {
  return pc.createColors(stream.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb');
}
