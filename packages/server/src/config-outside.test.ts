import { describe, expect, test } from 'vitest';
import { problemsOf, production } from '#test/settings.ts';
import { loadConfig, loadDataSettings } from './config.ts';

describe('the mail server', () => {
  const mail = { KIST_SMTP_URL: 'smtps://mail.example.in', KIST_MAIL_FROM: 'kist@example.in' };

  test('is nobody’s duty; set, it needs an address to be from and a whole account, and its account stands in no address', () => {
    expect(loadConfig(production()).smtp).toBeUndefined();
    expect(loadConfig(production(mail)).smtp).toEqual({
      url: 'smtps://mail.example.in',
      account: undefined,
      from: 'kist@example.in',
    });
    const account = { KIST_SMTP_USER: 'kist', KIST_SMTP_PASSWORD: 'pw-of-mail' };
    expect(loadConfig(production({ ...mail, ...account })).smtp?.account).toEqual({
      user: 'kist',
      password: 'pw-of-mail',
    });
    for (const [change, says] of [
      [{ KIST_MAIL_FROM: '' }, 'KIST_MAIL_FROM is missing'],
      [{ KIST_SMTP_PASSWORD: 'pw-of-mail' }, 'go together'],
      [{ KIST_SMTP_USER: 'kist' }, 'go together'],
      [{ KIST_SMTP_URL: 'smtps://kist:pw-of-mail@mail.example.in' }, 'holds an account'],
    ] as const) {
      const problems = problemsOf(production({ ...mail, ...change })).join(' ');
      expect(problems).toContain(says);
      expect(problems).not.toContain('pw-of-mail');
    }
    expect(problemsOf(production({ ...mail, KIST_SMTP_URL: 'https://mail.example.in' })).join()).toContain(
      'KIST_SMTP_URL',
    );
  });
});

describe('the bucket of the pictures', () => {
  const whole = {
    KIST_S3_ENDPOINT: 'https://s3.example.in/',
    KIST_S3_BUCKET: 'kist-pictures',
    KIST_S3_ACCESS_KEY_ID: 'an-id',
    KIST_S3_SECRET_ACCESS_KEY: 'secret-of-the-bucket',
  };

  test('is nobody’s duty; named, it needs an address and an account, https outside this machine, and no folder beside it', () => {
    expect(loadConfig(production()).s3).toBeUndefined();
    expect(loadConfig(production(whole)).s3).toEqual({
      endpoint: 'https://s3.example.in',
      bucket: 'kist-pictures',
      region: 'us-east-1',
      accessKeyId: 'an-id',
      secretAccessKey: 'secret-of-the-bucket',
    });
    expect(loadDataSettings(production({ ...whole, KIST_S3_REGION: 'ap-south-1' })).s3?.region).toBe('ap-south-1');
    for (const [change, says] of [
      [{ KIST_S3_ENDPOINT: '' }, 'KIST_S3_ENDPOINT missing'],
      [{ KIST_S3_ACCESS_KEY_ID: '', KIST_S3_ENDPOINT: '' }, 'KIST_S3_ENDPOINT and KIST_S3_ACCESS_KEY_ID missing'],
      [{ KIST_S3_SECRET_ACCESS_KEY: '' }, 'KIST_S3_SECRET_ACCESS_KEY missing'],
      [{ KIST_S3_BUCKET: '' }, 'KIST_S3_BUCKET is missing'],
      [{ KIST_S3_BUCKET: 'Not A Bucket' }, 'KIST_S3_BUCKET: the name of a bucket'],
      [{ KIST_S3_ENDPOINT: 'http://s3.example.in' }, 'must be https'],
      [{ KIST_S3_ENDPOINT: 'https://id:secret-of-the-bucket@s3.example.in' }, 'is an address alone'],
      [{ KIST_BLOBS_DIR: '/var/kist' }, 'take one of them out'],
    ] as const) {
      const problems = problemsOf(production({ ...whole, ...change })).join(' ');
      expect(problems).toContain(says);
      expect(problems).not.toContain('secret-of-the-bucket');
    }
    expect(problemsOf(production({ ...whole, KIST_S3_ENDPOINT: 'http://127.0.0.1:9000' }))).toEqual([]);
  });
});
