import { expect, test } from 'vitest';
import { problemOfMetadata } from './providers.ts';

const issuer = 'https://login.example.in/realm';
const said = (more: Partial<Parameters<typeof problemOfMetadata>[1]> = {}) => ({
  issuer,
  authorization_endpoint: 'https://login.example.in/auth',
  token_endpoint: 'https://tokens.example.in/token',
  jwks_uri: 'https://login.example.in/keys',
  ...more,
});

test('a provider may answer under several names of its own', () => {
  expect(problemOfMetadata(issuer, said())).toBeUndefined();
  expect(problemOfMetadata(issuer, said({ userinfo_endpoint: 'https://graph.example.in/me' }))).toBeUndefined();
  expect(problemOfMetadata('https://login.example.in', said({ issuer: 'https://login.example.in/' }))).toBeUndefined();
});

test('one of many companies is none', () => {
  const many = 'https://login.microsoftonline.com/common/v2.0';
  const its = { issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0' };
  expect(problemOfMetadata(many, said(its))).toBe('another issuer');
  expect(problemOfMetadata(issuer, said({ issuer: 'https://login.example.in/another' }))).toBe('another issuer');
});

test.each([
  'https://127.0.0.1/token',
  'https://localhost/token',
  'https://x.localhost./token',
  'https://10.1.2.3:5432/token',
  'https://172.31.0.1/token',
  'https://192.168.1.1/token',
  'https://169.254.169.254/latest/meta-data',
  'https://100.100.100.200/token',
  'https://0/token',
  'https://2130706433/token',
  'https://0x7f.1/token',
  'https://[::1]/token',
  'https://[::]/token',
  'https://[::ffff:127.0.0.1]/token',
  'https://[::ffff:a9fe:a9fe]/token',
  'https://[fd00:ec2::254]/token',
  'https://[fe80::1]/token',
])('%s is in our own network, where a provider from outside sends nobody', (address) => {
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint'] as const)
    expect(problemOfMetadata(issuer, said({ [name]: address }))).toBe('an endpoint in our own network');
});

test.each(['http://login.example.in/token', 'ftp://login.example.in/token', 'nothing'])('nor %s', (address) => {
  expect(problemOfMetadata(issuer, said({ token_endpoint: address }))).toBe('an endpoint is missing or not https');
});

test('nor anywhere by http but from this very machine', () => {
  expect(problemOfMetadata(issuer, said({ token_endpoint: 'http://127.0.0.1:9/token' }))).toBe(
    'an endpoint is not https',
  );
  expect(problemOfMetadata(issuer, said({ jwks_uri: undefined }))).toBe('an endpoint is missing or not https');
});

test('a company’s own provider may stand in its own network', () => {
  const inside = 'https://10.0.0.5/realm';
  const its = {
    issuer: inside,
    authorization_endpoint: 'https://10.0.0.5/auth',
    token_endpoint: 'https://10.0.0.5/token',
    jwks_uri: 'https://10.0.0.5/keys',
  };
  expect(problemOfMetadata(inside, its)).toBeUndefined();
  expect(problemOfMetadata(inside, { ...its, token_endpoint: 'https://10.0.0.6/token' })).toBe(
    'an endpoint in our own network',
  );
});
