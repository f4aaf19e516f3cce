/**
 * The files of this package that the program has in itself, by their place in the package. There are none, except in the one
 * file that `npm run bundle` makes: it puts its own module in the place of this one.
 */
export const bundledFiles: Readonly<Record<string, string>> = {};

/** The modules that no source has. */
export const bundledModules: Readonly<Record<string, () => unknown>> = {};
