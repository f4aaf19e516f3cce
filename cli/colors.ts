import pc from 'picocolors';

/** Colours for a terminal that can show them. NO_COLOR turns them off. */
export function colorsFor(
  stream: { readonly isTTY?: boolean } = process.stdout,
  env: NodeJS.ProcessEnv = process.env,
): ReturnType<typeof pc.createColors> {
  return pc.createColors(stream.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb');
}
