/** Another way to write a path. Some servers, and proxies before them, take it for the documented one. */
export interface PathSpelling {
  readonly how: string;
  readonly path: string;
  /** Known to be open elsewhere. Without the whole breadth, only these are tried. */
  readonly isTelling: boolean;
}

export function pathSpellings(path: string): readonly PathSpelling[] {
  const slash = path.lastIndexOf('/');
  const [folder, name] = [path.slice(0, slash), path.slice(slash + 1)];
  const encoded = name.replace(/^./, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  const spelled: readonly (readonly [how: string, path: string])[] = [
    ['a slash at the end of the path', `${path}/`],
    ['two slashes in the path', `${folder}//${name}`],
    ['two slashes at the beginning of the path', `/${path}`],
    ['a dot segment in the path', `${folder}/./${name}`],
    ['a segment and two dots in the path', `${folder}/public/../${name}`],
    ['a segment and two dots with a parameter in the path', `${folder}/public/..;/${name}`],
    ['an encoded letter in the path', `${folder}/${encoded}`],
    ['an encoded slash in the path', `${folder}%2f${name}`],
    ['the last segment in upper case', `${folder}/${name.toUpperCase()}`],
    ['the path in upper case', path.toUpperCase()],
    ['a parameter of the path', `${path};x=y`],
    ['.json at the end of the path', `${path}.json`],
    ['an encoded blank at the end of the path', `${path}%20`],
    ['the path without its prefix', `/${name}`],
    ['the path without its first segment', path.replace(/^\/[^/]+/, '')],
    ['an empty query string', `${path}?`],
  ];
  return spelled.map(([how, other]) => ({ how, path: other, isTelling: TELLING.includes(how) }));
}

const TELLING = [
  'a slash at the end of the path',
  'two slashes at the beginning of the path',
  'a segment and two dots with a parameter in the path',
  'an encoded letter in the path',
  'the path in upper case',
  'a parameter of the path',
  '.json at the end of the path',
];
