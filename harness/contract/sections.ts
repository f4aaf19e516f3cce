/** A section of the specification, as docs/contract.md restates it. */
export interface Section {
  /** Its number, such as `4.2`. */
  readonly id: string;
  readonly title: string;
  /** Empty for a section that has only subsections. */
  readonly text: string;
}

/** A section that a requirement cites: of the specification with its text, or of an RFC with its address. */
export type CitedSection =
  | { readonly source: string; readonly title: string; readonly lines: readonly string[] }
  | { readonly source: string; readonly link: string };

/** The sections behind the source of a requirement, such as `spec 4.2 and 7, RFC 9068 4`. `reference` cites none. */
export function citedSections(sections: readonly Section[], source: string): readonly CitedSection[] {
  const cited: CitedSection[] = [];
  let rfc: string | undefined;
  for (const [word, number] of source.matchAll(/spec|RFC (\d+)|\d+(?:\.\d+)*/g)) {
    if (word === 'spec') rfc = undefined;
    else if (number !== undefined) rfc = number;
    else if (rfc !== undefined)
      cited.push({
        source: `RFC ${rfc} ${word}`,
        link: `https://www.rfc-editor.org/rfc/rfc${rfc}#section-${word}`,
      });
    else cited.push(...sections.filter(({ id }) => id === word).map((section) => citing(sections, section)));
  }
  return cited;
}

function citing(sections: readonly Section[], { id, title, text }: Section): CitedSection {
  const within = sections.filter((other) => other.id.startsWith(`${id}.`)).map((other) => other.text);
  return { source: `spec ${id}`, title, lines: (text || within.filter(Boolean).join('\n')).split('\n') };
}
