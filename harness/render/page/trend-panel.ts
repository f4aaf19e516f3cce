import type { Verdict } from '../../judge/judge-cases.ts';
import { type Html, html } from './html.ts';

/** A part of a bar: of a verdict, or of a time. */
export type Part = { readonly value: number } & ({ readonly verdict: Verdict } | { readonly part: 'time' | 'median' });

/** What a run has in a picture, from the bottom. */
export interface Bar {
  /** What a pointer shows. */
  readonly title: string;
  readonly parts: readonly Part[];
}
export interface Panel {
  readonly title: string;
  /** The value of the last run. */
  readonly now: string;
  readonly note: string;
  /** All values, for those who hear the page. */
  readonly label: string;
  readonly bars: Html;
  /** The verdicts whose colours the bars have. */
  readonly verdicts?: readonly Verdict[];
}

const HEIGHT = 100;
/** A value above 0 is seen. */
const LEAST = 4;
/** Two runs fill no picture: their bars would be as wide as a column of text. */
const LEAST_BARS = 12;

export function renderPanel({ title, now, note, label, bars, verdicts = [] }: Panel): Html {
  return html`<figure><figcaption>${title} <b>${now}</b> <span>${note}</span>${verdicts.map((verdict) => html` <span class="key" data-verdict="${verdict}"><i></i>${verdict}</span>`)}</figcaption>
<svg role="img" aria-label="${title}, from the oldest run to the last one: ${label}" ${bars}</svg></figure>
`;
}

/**
 * The bars of a picture, the oldest run on the left. Sizes are attributes, because the policy of the page allows no style
 * attributes, and no text is in the picture, because it is stretched.
 * @param most the value of a full bar.
 */
export function barsOf(bars: readonly Bar[], most: number): Html {
  const columns = bars.map(({ title, parts }, index) => {
    let top = HEIGHT;
    const rects = parts.map((part) => {
      const height = Math.max(LEAST, most === 0 ? 0 : (part.value / most) * (HEIGHT - LEAST * parts.length));
      top -= height;
      const kind = 'verdict' in part ? html`data-verdict="${part.verdict}"` : html`class="${part.part}"`;
      return html`<rect ${kind} x="${index + 0.12}" y="${top.toFixed(1)}" width="0.76" height="${height.toFixed(1)}"/>`;
    });
    return html`<g><title>${title}</title><rect class="column" x="${index}" width="1" height="${HEIGHT}"/>${rects}</g>`;
  });
  return html`viewBox="0 0 ${Math.max(bars.length, LEAST_BARS)} ${HEIGHT}" preserveAspectRatio="none">${columns}`;
}
