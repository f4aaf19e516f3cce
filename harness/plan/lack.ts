/** What something needs and does not have: a variable that is not set, or something else in words. */
export type Lack =
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'words'; readonly words: string };

export const variableLack = (name: string): Lack => ({ kind: 'variable', name });
export const lackInWords = (words: string): Lack => ({ kind: 'words', words });

/** As a report says it. */
export function textOfLack(lack: Lack): string {
  switch (lack.kind) {
    case 'variable':
      return lack.name;
    case 'words':
      return lack.words;
  }
}
