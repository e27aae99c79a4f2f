import type { Language } from '@kist/contract/codes';
import { jsonb, nullable, text, timestamptz, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

export type ScreenTexts = Readonly<Record<Language, string>>;

const template = { template_id: uuid, name: text, texts: jsonb<ScreenTexts>() };

/** No row where one of this name is in use. */
export const insertTemplate = statement({
  name: 'notices.insert_screen_template',
  takes: { ...template, added_by: uuid },
  gives: { template_id: uuid },
  text: `
    insert into screen_templates (org_id, template_id, name, texts, added_by, added_at) values ($1, $template_id, $name, $texts, $added_by, kist_now())
    on conflict (org_id, name) where ended_at is null do nothing returning template_id`,
});

/** No row where none of this name is in use. */
export const endTemplate = statement({
  name: 'notices.end_screen_template',
  takes: { name: text, ended_by: uuid },
  gives: { template_id: uuid },
  text: `
    update screen_templates set ended_at = kist_now(), ended_by = $ended_by
    where org_id = $1 and name = $name and ended_at is null returning template_id`,
});

/** The one of this name that is in use. */
export const liveTemplate = statement({
  name: 'notices.live_screen_template',
  takes: { name: text },
  gives: template,
  text: 'select template_id, name, texts from screen_templates where org_id = $1 and name = $name and ended_at is null',
});

/** Those in use, and those that were, the newest first. */
export const allTemplates = statement({
  name: 'notices.screen_templates',
  gives: { ...template, added_at: timestamptz, ended_at: nullable(timestamptz) },
  text: `
    select template_id, name, texts, added_at, ended_at from screen_templates where org_id = $1
    order by ended_at is not null, added_at desc, template_id desc limit 500`,
});
