import { describe, expect, test } from 'vitest';
import { search } from '../../testing/engine.ts';
import { ada, asUser, target, uma, viewer } from '../../testing/looking.ts';
import { actingAs, partiesOf, strangerTo, type Viewer, viewersOf, whyNoViewer } from './sightings.ts';

describe('who looks', () => {
  test('is either person in turn for a token that acts as somebody, whosever it is', () => {
    const both = [
      { isActing: true, isThird: false, own: ada, other: uma },
      { isActing: true, isThird: false, own: uma, other: ada },
    ];
    expect(partiesOf(target().api, 'GLOBAL')).toEqual(both);
    expect(partiesOf(target({ GLOBAL_EMAIL: 'nobody' }).api, 'GLOBAL')).toEqual(both);
    expect(partiesOf(target({ GLOBAL_EMAIL: 'olaf@people.example' }).api, 'GLOBAL')).toEqual(both);
  });

  test('is the person of a token that acts as nobody', () => {
    expect(partiesOf(target().api, 'OAUTH')).toEqual([asUser]);
    expect(partiesOf(target({ OAUTH_EMAIL: 'olaf@people.example' }).api, 'OAUTH')).toEqual([
      { ...asUser, isThird: true },
    ]);
  });

  test('is nobody if the token is nobody’s, or if a variable of the documents is missing', () => {
    expect(partiesOf(target({ OAUTH_EMAIL: 'nobody' }).api, 'OAUTH')).toEqual([]);
    expect(partiesOf(target({ USER_PRIVATE_QUERY: undefined }).api, 'GLOBAL')).toEqual([]);
  });

  test('is everybody with a token, on each operation', () => {
    const looking = (api: Viewer['api'], ...operations: Parameters<typeof viewersOf>[1][]) =>
      viewersOf(api, ...operations).map(({ operation, kind, credential, own }) =>
        [operation.id, kind, credential.token, own.owner].join(' '),
      );
    const { api } = target();
    const searching = [
      'search USER full-USER USER',
      'search GLOBAL full-GLOBAL ACT_AS',
      'search GLOBAL full-GLOBAL USER',
    ];
    expect(looking(api, [search])).toEqual(searching);
    expect(looking(api)).toHaveLength(6);
    expect(looking({ ...api, full: (kind) => (kind === 'USER' ? undefined : api.full(kind)) }, [search])).toEqual(
      searching.slice(1),
    );
  });

  test('acts as a person, or is that person', () => {
    const asAda = viewer({ isActing: true, own: ada, other: uma });
    expect([asAda, viewer()].filter(actingAs('ACT_AS'))).toHaveLength(2);
    expect([asAda, viewer()].filter(actingAs('USER'))).toEqual([expect.objectContaining({ isActing: false })]);
  });
});

describe('why nobody looks', () => {
  test.each([
    ['a variable is missing', { ACT_AS_EMAIL: undefined }, { verdict: 'not-testable', variable: 'ACT_AS_EMAIL' }],
    [
      'the token is nobody’s',
      { USER_EMAIL: 'uma', OAUTH_EMAIL: 'nobody' },
      { verdict: 'observed', detail: "$OAUTH_EMAIL says that the token is nobody's" },
    ],
  ])('is that %s', (_why, changes, decided) => {
    expect(whyNoViewer(target(changes).api, 'OAUTH')).toMatchObject(decided);
  });

  test('is that the token is missing', () => {
    const { api } = target();
    expect(whyNoViewer({ ...api, full: () => undefined }, 'OAUTH')).toMatchObject({ variable: 'OAUTH_TOKEN' });
    expect(whyNoViewer(api, 'OAUTH')).toBeUndefined();
  });
});

test.each([
  ['the person whose token it is not', {}, ada],
  ['nobody if the owner of the token is unknown', { USER_EMAIL: 'uma', OAUTH_EMAIL: 'olaf' }, undefined],
  ['nobody if documents are not known', { USER_PRIVATE_QUERY: undefined }, undefined],
])('a token is a stranger to %s', (_who, changes, stranger) => {
  expect(strangerTo(target(changes).api, 'OAUTH')).toEqual(stranger);
});
