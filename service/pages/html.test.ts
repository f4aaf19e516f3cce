import { expect, test } from 'vitest';
import { html } from './html.ts';

test('values are escaped in content and in attributes', () => {
  const hostile = `"><script>alert('x')</script>&amp;`;
  const { markup } = html`<p title="${hostile}">${hostile}</p>`;
  expect(markup.match(/[<>"']/g)?.join('')).toBe('<"">' + '<>');
  expect(markup).toContain('&#38;amp;');
});

test('markup is not escaped, lists are joined, and null renders nothing', () => {
  const rows = ['a', '<b>'].map((text) => html`<li>${text}</li>`);
  expect(html`<ul>${rows}</ul>${null}${0}`.markup).toBe('<ul><li>a</li><li>&#60;b&#62;</li></ul>0');
});
