import { expect, test } from 'vitest';
import { placeOf } from './authorization-request.ts';

const asked = new URL('https://login.example/auth?client_id=one');
const leadingTo = (location: string) => placeOf({ headers: { location }, text: '' }, asked);
const showing = (text: string) => placeOf({ headers: {}, text }, asked);

test('a page is the same whatever ids are in its address, and whatever comes with it', () => {
  const place = leadingTo('/interaction/7f3a9c');
  expect(leadingTo('https://login.example/interaction/gQ2Zp_ExhNsvQzLdKkTf?step=1')).toBe(place);
  expect(leadingTo('/error')).not.toBe(place);
  expect(leadingTo('https://elsewhere.example/interaction/7f3a9c')).not.toBe(place);
});

test('a form is the same if it asks for the same', () => {
  const place = showing('<form><input name="email"><input type="password" name="password"></form>');
  expect(showing('<h1>Again</h1><input name="email" value="x"><input name="password">')).toBe(place);
  expect(showing('<h1>No such client</h1><form><input name="search"></form>')).not.toBe(place);
});
