/** What the files of a run cannot show to somebody who was not there. */
export const UNKNOWABLE: readonly string[] = [
  'that the journal was not made up: nobody signs it',
  'which implementation answered at that address',
  'that each token was what the name of its variable says',
  'when the run took place: the date is that of the machine that ran it',
];
