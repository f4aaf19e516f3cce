import { expect, test } from 'vitest';
import { cookieJar } from './session.ts';

test('over https a cookie is bound to the host and to TLS', () => {
  const jar = cookieJar('https://api.example');
  expect(jar.write('console', 'x', 60)).toBe('__Host-console=x; HttpOnly; SameSite=Lax; Max-Age=60; Path=/; Secure');
  expect(jar.read('a=b; __Host-console=x; c=d', 'console')).toBe('x');
  // Another host can set a cookie without the prefix.
  expect(jar.read('console=planted', 'console')).toBeUndefined();
});

test('over http a cookie is limited to the console and hidden from scripts', () => {
  const jar = cookieJar('http://127.0.0.1:8080');
  expect(jar.write('console', '', 0)).toBe('console=; HttpOnly; SameSite=Lax; Max-Age=0; Path=/admin');
  expect(jar.read('other-console=y; console=x', 'console')).toBe('x');
  expect(jar.read(undefined, 'console')).toBeUndefined();
});
